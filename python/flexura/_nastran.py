"""Matrices of Nastran from binary files (OUTPUT2, OUTPUT4) as flexible bodies, read by the package ``pyNastran``.

Text needs no package: part files name punch files of DMIG, OUTPUT4 as text and bulk data themselves (``[matrices]``, ``mesh``).
"""

from __future__ import annotations

import os
from typing import Any, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._fem import ReducedBody, reduce_matrices

Row = tuple[int, int]
"""Number of a node and its freedom (1 to 6; 0 of a scalar point)."""


def import_nastran(
    path: str | os.PathLike[str],
    nodes: Mapping[int, ArrayLike] | str | os.PathLike[str],
    interfaces: Mapping[str, Any],
    *,
    stiffness: str = "KGG",
    mass: str = "MGG",
    damping: str | None = None,
    rows: Sequence[Row] | None = None,
    units: str = "SI",
    name: str = "part",
    output: str | os.PathLike[str] | None = None,
    **reduction: Any,
) -> ReducedBody:
    """A flexible body from matrices of Nastran's OUTPUT2 (``.op2``) or OUTPUT4 (``.op4``, binary or text); needs ``pip install pyNastran``.

    ``nodes`` are positions by number, or a bulk data file with GRID cards. ``rows`` say what the rows of the matrices are; by default six freedoms
    of every node in the order of their numbers, as of the g-set. Interfaces are numbers of nodes, one or several, or ``{"nodes": ..,
    **keys}``. ``units`` are those of the file: ``"SI"`` or ``"mm-t-s"``. ``reduction`` takes the keys of ``[reduction]``.
    """
    if units not in ("SI", "mm-t-s"):
        raise ValueError(f"units {units!r}: known are SI and mm-t-s")
    places = _positions(nodes)
    wanted = [word for word in (stiffness, mass, damping) if word is not None]
    found = _matrices(path, wanted)
    given = [(number, freedom) for number in sorted(places) for freedom in range(1, 7)] if rows is None else list(rows)
    order, numbers, digits = _order(given, places)
    scale = _scale([freedom for _, freedom in given], units)
    for word in wanted:
        if found[word].shape != (len(given), len(given)):
            raise ValueError(
                f"matrix `{word}` is {found[word].shape}, but there are {len(given)} rows: say by `rows` which node and freedom each is"
            )
        found[word] = _scaled(found[word], scale)[order][:, order]
    length = 1.0 if units == "SI" else 1e-3
    table = np.array([places[number] for number in numbers]) * length
    at = {number: index for index, number in enumerate(numbers)}
    chosen = {label: _chosen(label, entry, at) for label, entry in interfaces.items()}
    return reduce_matrices(
        found[mass],
        found[stiffness],
        table,
        chosen,
        freedoms=digits,
        damping=None if damping is None else found[damping],
        name=name,
        output=output,
        **reduction,
    )


def _package() -> Any:
    try:
        import pyNastran
    except ImportError as fault:
        raise ImportError(
            "binary files of Nastran are read by the package pyNastran: pip install pyNastran; punch files and OUTPUT4 as text need "
            "none, part files name them in [matrices]"
        ) from fault
    return pyNastran


def _positions(nodes: Mapping[int, ArrayLike] | str | os.PathLike[str]) -> dict[int, NDArray[np.float64]]:
    if isinstance(nodes, Mapping):
        return {int(number): np.asarray(place, dtype=float).reshape(3) for number, place in nodes.items()}
    _package()
    from pyNastran.bdf.bdf import read_bdf

    bulk = read_bdf(os.fspath(nodes), xref=True, punch=not _has_sections(nodes), debug=None)
    found = {}
    for number, node in bulk.nodes.items():
        if node.Cd() != 0:
            raise ValueError(f"GRID {number} moves along axes of its own (CD {node.Cd()}): write the matrices in basic ones")
        found[int(number)] = np.asarray(node.get_position(), dtype=float)
    found.update({int(number): np.zeros(3) for number in bulk.spoints})
    return found


def _has_sections(path: str | os.PathLike[str]) -> bool:
    """Whether a bulk data file has the sections before BEGIN BULK."""
    with open(path, encoding="latin1") as file:
        return any(line.strip().upper().replace(" ", "").startswith("BEGINBULK") for line in file)


def _matrices(path: str | os.PathLike[str], names: Sequence[str]) -> dict[str, Any]:
    """Real square matrices of a file, by name."""
    from scipy import sparse

    shown, ending = os.fspath(path), os.path.splitext(os.fspath(path))[1].lower()
    if ending not in (".op2", ".op4"):
        raise ValueError(f"{shown}: binary files of Nastran end in .op2 or .op4")
    _package()
    if not os.path.exists(path):
        raise FileNotFoundError(f"no such file: {shown}")
    if ending == ".op2":
        from pyNastran.op2.op2 import OP2

        reader = OP2(debug=None)
        reader.set_additional_matrices_to_read({name.encode(): True for name in names})
        reader.read_op2(shown, combine=False)
        every: Mapping[str, Any] = reader.matrices
    else:
        from pyNastran.op4.op4 import read_op4

        every = {key: entry[1] if isinstance(entry, tuple) else entry for key, entry in read_op4(shown, debug=None).items()}
    found = {}
    for name in names:
        if name not in every:
            raise ValueError(f"{shown} has no matrix `{name}`: there are {', '.join(map(str, every)) or 'none'}")
        entry = every[name]
        if getattr(entry, "is_matpool", False):
            raise ValueError(f"{shown}: `{name}` is a DMIG of MATPOOL, whose freedoms the reader loses: write it as punch")
        data = entry.data if hasattr(entry, "form") else entry
        if np.iscomplexobj(data):
            raise ValueError(f"{shown}: `{name}` is complex")
        matrix = sparse.csr_matrix(data)
        # Form 6 may hold one triangle only.
        lower, upper = sparse.tril(matrix, -1), sparse.triu(matrix, 1)
        found[name] = matrix + (lower + upper).T if min(lower.nnz, upper.nnz) == 0 else matrix
    return found


def _order(rows: Sequence[Row], places: Mapping[int, Any]) -> tuple[list[int], list[int], list[str]]:
    """Rows in the order of nodes and freedoms, the nodes, and the freedoms of each."""
    if len(set(rows)) != len(rows):
        raise ValueError("`rows` name a freedom twice")
    strange = [row for row in rows if row[0] not in places or not 0 <= row[1] <= 6]
    if strange:
        raise ValueError(f"`rows`: node {strange[0][0]}, freedom {strange[0][1]} is none of the nodes")
    order = sorted(range(len(rows)), key=lambda index: rows[index])
    numbers = sorted({number for number, _ in rows})
    digits = ["".join(str(freedom) for number, freedom in sorted(rows) if number == own) for own in numbers]
    return order, numbers, digits


def _scale(freedoms: Sequence[int], units: str) -> NDArray[np.float64]:
    """Factors of rows and columns: energies are thousandths of a joule in millimetres, tonnes and newtons, translations millimetres."""
    if units == "SI":
        return np.ones(len(freedoms))
    energy = float(np.sqrt(1e-3))
    return np.array([1e3 * energy if freedom in (1, 2, 3) else energy for freedom in freedoms])


def _scaled(matrix: Any, scale: NDArray[np.float64]) -> Any:
    from scipy import sparse

    return sparse.diags(scale) @ matrix @ sparse.diags(scale)


def _chosen(label: str, given: Any, at: Mapping[int, int]) -> dict[str, Any]:
    keys = dict(given) if isinstance(given, Mapping) else {"nodes": given}
    nodes = np.asarray(keys.get("nodes", []))
    missing = [number for number in np.atleast_1d(nodes).tolist() if number not in at]
    if missing:
        raise ValueError(f"interface `{label}`: no row belongs to node {missing[0]}")
    keys["nodes"] = at[int(nodes)] if nodes.ndim == 0 else [at[int(number)] for number in nodes]
    return keys
