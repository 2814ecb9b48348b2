"""Pickled data without the danger: dictionaries, lists, texts, numbers, arrays, sparse matrices, and nothing else.

A pickle is a program: ``pickle.load`` and ``numpy.load(allow_pickle=True)`` call whatever the file names. Here every name that a
file may use stands for a class of this module that only keeps what it is given; arrays and matrices are then made of those parts,
with sizes, kinds and indices checked. No other name is looked up, no code of NumPy or SciPy runs on unchecked data, and a file that
asks for anything else is refused with that name.
"""

from __future__ import annotations

import io
import math
import pickle
import pickletools
from typing import Any

import numpy as np

_KINDS = {"b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8"}
"""Kinds of numbers that arrays may hold; texts (``U``) and objects (``O``) beside them."""
_DEPTH = 40
_ENTRIES = 20_000_000
"""So many entries of lists and dictionaries, and no more than its bytes allow: a list that holds itself over and over is small in a file."""


class NotPlain(ValueError):
    """A file holds something that is no plain data."""


class _StandIn:
    """What a name of a file becomes: it keeps what it is given, and nobody changes the class by a pickle."""

    def __init__(self, *given: Any) -> None:
        self.given, self.state = given, None

    def __setstate__(self, state: Any) -> None:
        self.state = state

    def made(self, walk: _Walk) -> Any:
        raise NotPlain(f"a {type(self).__name__.strip('_').lower()} where data should be")


class _Dtype(_StandIn):
    """``numpy.dtype`` of a file."""

    def kind(self) -> np.dtype[Any]:
        code = str(self.given[0]) if self.given else ""
        order = str(self.state[1]) if isinstance(self.state, tuple) and len(self.state) > 1 else "|"
        order, code = (code[0], code[1:]) if code[:1] in ("<", ">", "|", "=") else (order, code)
        if code in ("O", "O8"):
            return np.dtype(object)
        if code not in _KINDS and not (code[:1] == "U" and code[1:].isdecimal() and int(code[1:]) < 10_000):
            raise NotPlain(f"an array of {code!r}")
        found: np.dtype[Any] = np.dtype(code).newbyteorder(">" if order == ">" else "<")
        return found


class _Bytes(_StandIn):
    """Bytes of files of protocol 2: a text in Latin-1."""

    def content(self) -> bytes:
        return str(self.given[0] if self.given else "").encode("latin1", "replace")


class _Array(_StandIn):
    """An array of a file: its parts."""

    def made(self, walk: _Walk) -> Any:
        if not (isinstance(self.state, tuple) and len(self.state) == 5):
            raise NotPlain("an array without content")
        _, shape, dtype, fortran, content = self.state
        return _array(shape, dtype, "F" if fortran else "C", content, walk)


class _Buffer(_StandIn):
    """An array of newer files: ``_frombuffer(bytes, dtype, shape, order)``."""

    def made(self, walk: _Walk) -> Any:
        if len(self.given) < 4:
            raise NotPlain("an array without content")
        content, dtype, shape, order = self.given[:4]
        return _array(shape, dtype, "F" if order == "F" else "C", content, walk)


class _Scalar(_StandIn):
    """A number of NumPy's."""

    def made(self, walk: _Walk) -> Any:
        if len(self.given) != 2:
            raise NotPlain("a number without content")
        return _array((), self.given[0], "C", self.given[1], walk)[()]


class _Sparse(_StandIn):
    """A matrix of SciPy: compressed rows or columns, or coordinates."""

    layout = ""

    def made(self, walk: _Walk) -> Any:
        if not isinstance(self.state, dict):
            raise NotPlain("a sparse matrix without content")
        return _matrix(self.layout, {str(key): walk.plain(value) for key, value in self.state.items()})


class _Rows(_Sparse):
    layout = "csr"


class _Columns(_Sparse):
    layout = "csc"


class _Coordinates(_Sparse):
    layout = "coo"


class _Name(_StandIn):
    """A named constant of the program that wrote the file (``OutputVariableType``): kept as text."""

    def made(self, walk: _Walk) -> Any:
        return str(walk.plain(self.given[0] if self.given else self.state))


_SPARSE = {"csr": _Rows, "csc": _Columns, "coo": _Coordinates}
_NUMPY = {"_reconstruct": _Array, "ndarray": _Array, "dtype": _Dtype, "scalar": _Scalar, "_frombuffer": _Buffer}


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        root = module.split(".")[0]
        found: type[_StandIn] | None = None
        if (module, name) == ("_codecs", "encode"):
            found = _Bytes
        elif root == "numpy":
            found = _NUMPY.get(name)
        elif module.startswith("scipy.sparse") and name[3:] in ("_matrix", "_array"):
            found = _SPARSE.get(name[:3])
        elif root == "exudyn" and name == "OutputVariableType":
            found = _Name
        if found is None:
            raise NotPlain(f"the file asks for `{module}.{name}`, which is no plain data: it is not read")
        return found

    def persistent_load(self, pid: Any) -> Any:
        raise NotPlain("the file refers to data outside of it")


class _Walk:
    """Replaces stand-ins by what they stand for, within bounds."""

    def __init__(self, size: int = _ENTRIES) -> None:
        """Data of a file of ``size`` bytes: every entry takes one at least, unless lists are shared."""
        self.depth, self.most = 0, min(_ENTRIES, 1_000 + 16 * size)
        self.left = self.most

    def plain(self, value: Any) -> Any:
        self.left -= 1
        if self.depth > _DEPTH or self.left < 0:
            raise NotPlain(f"data nested deeper than {_DEPTH}, or with more than {self.most} entries")
        if value is None or isinstance(value, (bool, int, float, str, bytes)):
            return value
        self.depth += 1
        try:
            if isinstance(value, (list, tuple)):
                return [self.plain(entry) for entry in value]
            if isinstance(value, dict):
                return {str(key): self.plain(entry) for key, entry in value.items()}
            if isinstance(value, _StandIn):
                return value.made(self)
        finally:
            self.depth -= 1
        raise NotPlain(f"a {type(value).__name__}")


def load_pickle(file: io.BytesIO) -> Any:
    """The plain data of one pickle."""
    try:
        _look_over(file)
        found = _Unpickler(file).load()
        return _Walk(file.tell()).plain(found)
    except NotPlain:
        raise
    except Exception as fault:  # Broken pickles raise whatever their first broken step does.
        raise NotPlain(f"the pickled data are broken: {fault}") from fault


def _look_over(file: io.BytesIO) -> None:
    """Refuses numbers that would have memory set aside for what is not in the file: places of a memo, and lengths."""
    start = file.tell()
    for count, (code, argument, _) in enumerate(pickletools.genops(file)):
        if code.name in ("PUT", "BINPUT", "LONG_BINPUT") and isinstance(argument, int) and not 0 <= argument <= count:
            raise NotPlain(f"a memo with a place {argument} after {count} steps")
    file.seek(start)


def load_array(file: io.BytesIO) -> Any:
    """One array of a ``.npy`` file; objects in it are plain data."""
    try:
        version = np.lib.format.read_magic(file)
        read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape, fortran, dtype = read(file)
    except Exception as fault:  # Heads are parsed as Python's literals, which raise many things.
        raise NotPlain(f"no array of NumPy: {fault}") from fault
    if dtype.hasobject:
        return load_pickle(file)
    return _array(shape, dtype, "F" if fortran else "C", file.read(_bytes_of(shape, dtype)), _Walk())


def load_archive(path: str) -> dict[str, Any]:
    """All arrays of an ``.npz`` file by name."""
    import zipfile

    found = {}
    try:
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                found[name.removesuffix(".npy")] = load_array(io.BytesIO(archive.read(name)))
    except zipfile.BadZipFile as fault:
        raise NotPlain(f"no archive of NumPy: {fault}") from fault
    return found


def _bytes_of(shape: Any, dtype: np.dtype[Any]) -> int:
    return int(math.prod(shape)) * dtype.itemsize


def _array(shape: Any, dtype: Any, order: str, content: Any, walk: _Walk) -> Any:
    """An array of its parts; one of objects becomes a list, or the object where it has no dimension."""
    kind = dtype.kind() if isinstance(dtype, _Dtype) else dtype
    if not isinstance(kind, np.dtype) or kind.names is not None or kind.kind not in "biufUO" or kind.itemsize == 0:
        raise NotPlain(f"an array of {kind}")
    sizes = [shape] if isinstance(shape, int) else shape
    if not isinstance(sizes, (list, tuple)) or any(not isinstance(size, int) or size < 0 for size in sizes):
        raise NotPlain("an array whose shape is no list of counts")
    if kind.hasobject:
        if not isinstance(content, list) or len(content) != math.prod(sizes):
            raise NotPlain("an array of objects without them")
        entries = walk.plain(content)
        return entries[0] if len(sizes) == 0 else entries
    content = content.content() if isinstance(content, _Bytes) else content
    if not isinstance(content, (bytes, bytearray)) or len(content) != _bytes_of(sizes, kind):
        raise NotPlain("an array with more or fewer numbers than its shape")
    table = np.frombuffer(bytes(content), dtype=kind).reshape(tuple(sizes), order="F" if order == "F" else "C")
    return table.astype(kind.newbyteorder("="))


def _matrix(layout: str, parts: dict[str, Any]) -> Any:
    """A sparse matrix in coordinates: every index is checked before SciPy sees it."""
    from scipy import sparse

    shape = parts.get("_shape", parts.get("shape"))
    data = np.asarray(parts.get("data"))
    if not isinstance(shape, list) or len(shape) != 2 or data.ndim != 1 or data.dtype.kind not in "fiu":
        raise NotPlain("a sparse matrix that is none")
    if layout == "coo":
        pair = parts.get("coords", [parts.get("row"), parts.get("col")])
        rows, columns = (np.asarray(entry) for entry in pair)
    else:
        starts, inner = np.asarray(parts.get("indptr")), np.asarray(parts.get("indices"))
        outer = int(shape[0] if layout == "csr" else shape[1])
        whole = starts.dtype.kind in "iu" and starts.shape == (outer + 1,) and (np.diff(starts) >= 0).all()
        if not whole or starts[0] != 0 or starts[-1] != len(data):
            raise NotPlain("a sparse matrix whose rows are not those of its numbers")
        lines = np.repeat(np.arange(outer), np.diff(starts))
        rows, columns = (lines, inner) if layout == "csr" else (inner, lines)
    for places, size in ((rows, shape[0]), (columns, shape[1])):
        if places.shape != data.shape or places.dtype.kind not in "iu":
            raise NotPlain("a sparse matrix with other places than numbers")
        if data.size and not (0 <= places.min() and places.max() < size):
            raise NotPlain("a sparse matrix with places outside of it")
    return sparse.coo_matrix((data, (rows, columns)), shape=tuple(shape)).tocsr()
