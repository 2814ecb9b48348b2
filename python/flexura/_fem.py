"""Flexible bodies from finite elements: part files, matrices, meshes in memory.

Matrices and meshes are handed to the reduction of part files (``PART_FILE.md``) through a
temporary folder, so that there is one reduction and one list of its keys.
"""

from __future__ import annotations

import os
import pathlib
import tempfile
from dataclasses import dataclass
from typing import Any, Mapping, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _flexura
from ._mesh import blocks_of, gmsh_text
from ._toml import toml_table

Floats = NDArray[np.float64]

Interfaces = Mapping[str, Union[int, Sequence[int], "NDArray[np.int_]", Mapping[str, Any]]]
"""Frames of the body by name: a node, several nodes that move as one, or ``{"nodes": .., **keys}``.

Nodes count from zero; keys are those of ``[[interface]]`` in a part file (``connection``, ``freedoms``).
"""


@dataclass(frozen=True)
class Reached:
    """Errors of a part whose shapes were chosen by the error they leave, by its own estimate."""

    asked: float
    band: float
    """Up to which frequency (Hz)."""
    statics: float
    """Largest error of a static answer: strain, by its mean square."""
    held: float
    """Largest error of a frequency of the part held at its reference."""
    free: float | None
    """Largest error of a frequency of the free part; ``None`` where it has no inertia about some axis."""


@dataclass(frozen=True)
class ReducedBody:
    """A flexible body from finite elements."""

    name: str
    frequencies: Floats
    """Frequencies of the reduced structure, held as it was reduced (Hz)."""
    static_shapes: int
    """Static shapes; they come first."""
    unknowns: int
    """Unknowns of the full model."""
    total_mass: float
    """Mass (kg)."""
    carried: list[float]
    """Part of the mass or inertia in each direction that the modes carry (0 to 1)."""
    static_residual: float | None
    """Largest static residual over the interfaces."""
    reached: Reached | None
    """What was reached where ``enough`` chose the shapes."""
    stiffness: Floats
    """Stiffness of the shapes."""
    mass: Floats
    """Mass of the shapes about the still reference frame."""
    notices: list[str]
    """What the user should know."""
    report: str
    """All of it in words."""

    def __str__(self) -> str:
        return self.report


def reduce(
    part: str | os.PathLike[str],
    *,
    text: str | None = None,
    output: str | os.PathLike[str] | None = None,
    enough: float | None = None,
    band: float | None = None,
) -> ReducedBody:
    """Reduces a finite element part to a flexible body, as ``flexura reduce`` does.

    ``part`` is a part file; with ``text`` it only names the folder of what the text refers to. The
    body is written to ``output`` (.fxb) if given; a model takes it by ``fe = "part.fxb"``. ``enough``
    chooses modes and residual shapes so that frequencies up to ``band`` (Hz; default: three times the lowest
    one of the held part) and static answers are met to this error, whatever the file says of modes.

    >>> import flexura
    >>> body = flexura.reduce("models/parts/boom.toml")
    >>> round(body.total_mass, 3)  # kg
    2.392
    >>> flexura.reduce("models/parts/boom.toml", enough=1e-3).reached.statics < 1e-3
    True
    """
    if band is not None and enough is None:
        raise ValueError("band: give enough too")
    if text is None:
        text = pathlib.Path(part).read_text(encoding="utf-8")
    file = None if output is None else os.fspath(output)
    found = _flexura.reduce_part(text, os.fspath(part), file, enough, band)
    reached = found.pop("reached")
    return ReducedBody(reached=None if reached is None else Reached(*reached), **found)


def reduce_matrices(
    mass: Any,
    stiffness: Any,
    nodes: ArrayLike,
    interfaces: Interfaces,
    *,
    freedoms: str | Sequence[str] = "123456",
    damping: Any = None,
    name: str = "part",
    output: str | os.PathLike[str] | None = None,
    **reduction: Any,
) -> ReducedBody:
    """Reduces a free structure given by matrices (SciPy sparse or dense) and a table of nodes.

    ``nodes`` are positions (m), one row per node. Rows of the matrices are the freedoms of the nodes, node
    after node: three translations (m) and three rotations (rad), or those named by ``freedoms``, such
    as ``"123"`` for solids, for all nodes or one by one. ``reduction`` takes the keys of
    ``[reduction]``: ``reference`` (an interface, the first by default), ``method``, ``modes``,
    ``damping_ratio``, … The body is written to ``output`` (.fxb).
    """
    positions = _positions(nodes)
    digits = [freedoms] * len(positions) if isinstance(freedoms, str) else [str(entry) for entry in freedoms]
    if len(digits) != len(positions):
        raise ValueError(f"freedoms: {len(digits)} entries for {len(positions)} nodes")
    size = sum(map(len, digits))
    tables, owners = _interfaces(interfaces, len(positions))
    with tempfile.TemporaryDirectory(prefix="flexura-") as folder:
        keys = {"nodes": "nodes.csv"}
        for key, matrix in (("stiffness", stiffness), ("mass", mass), ("damping", damping)):
            if matrix is not None:
                keys[key] = f"{key}.mtx"
                _write_matrix(os.path.join(folder, keys[key]), key, matrix, size)
        with open(os.path.join(folder, "nodes.csv"), "w", encoding="utf-8") as file:
            file.write("node,x,y,z,freedoms,set\n")
            for index, (position, own) in enumerate(zip(positions.tolist(), digits)):
                x, y, z = map(repr, position)
                file.write(f"{index + 1},{x},{y},{z},{own},{owners.get(index, '')}\n")
        parts = [toml_table("[matrices]", keys), *tables]
        return _reduced(folder, name, parts, reduction, output)


def reduce_mesh(
    mesh: Any,
    interfaces: Interfaces,
    properties: Mapping[str, Any] | Sequence[Mapping[str, Any] | None],
    *,
    name: str = "part",
    output: str | os.PathLike[str] | None = None,
    **reduction: Any,
) -> ReducedBody:
    """Reduces a mesh of arrays: anything with ``points`` and ``cells`` as meshio has them, or that pair.

    Cells are ``(type, nodes)`` blocks or a dictionary with the types ``line``, ``triangle``, ``quad``,
    ``tetra``, ``hexahedron``, ``wedge``, ``pyramid`` and the second-order ``line3``, ``triangle6``, ``quad8``, ``tetra10``,
    ``hexahedron20``, ``wedge15``.
    ``properties`` say what they are made of, for all blocks or block by block (``None`` leaves one out): ``young``
    (Pa), ``poisson``, ``density`` (kg/m³), with ``thickness`` (m) for surfaces and ``section`` for lines.
    Interfaces on solids are several nodes. ``reduction`` takes the keys of ``[reduction]``.
    """
    points, cells = (mesh.points, mesh.cells) if hasattr(mesh, "points") else mesh
    positions = _positions(points)
    blocks = blocks_of(cells, len(positions))
    own = [properties] * len(blocks) if isinstance(properties, Mapping) else list(properties)
    if len(own) != len(blocks):
        raise ValueError(f"properties: {len(own)} entries for {len(blocks)} blocks of cells")
    tables, owners = _interfaces(interfaces, len(positions))
    parts = []
    for index, given in enumerate(own):
        if given is not None:
            keys = dict(given)
            stuff = {key: keys.pop(key, None) for key in ("young", "poisson", "density", "retardation", "viscous")}
            parts.append(toml_table("[[material]]", {"name": f"material {index}", **stuff}))
            parts.append(toml_table("[[group]]", {"name": f"block {index}", "material": f"material {index}", **keys}))
    used = [(f"block {index}", *block) for index, block in enumerate(blocks) if own[index] is not None]
    with tempfile.TemporaryDirectory(prefix="flexura-") as folder:
        text = gmsh_text(positions, used, owners)
        pathlib.Path(folder, "mesh.msh").write_text(text, encoding="ascii")
        return _reduced(folder, name, parts + tables, reduction, output, {"mesh": "mesh.msh"})


def _positions(nodes: Any) -> Floats:
    positions = np.asarray(nodes, dtype=float)
    if positions.ndim != 2 or positions.shape[1] != 3 or not np.isfinite(positions).all():
        raise ValueError(f"nodes must be finite positions, one row of three per node, not {positions.shape}")
    return positions


def _interfaces(interfaces: Interfaces, count: int) -> tuple[list[str], dict[int, str]]:
    """Tables of a part file, and which set of an interface a node belongs to."""
    tables, owners = [], {}
    for number, (name, given) in enumerate(interfaces.items()):
        keys = dict(given) if isinstance(given, Mapping) else {"nodes": given}
        places = np.asarray(keys.pop("nodes", []))
        if places.dtype.kind not in "iu" or places.ndim > 1 or places.size == 0:
            raise ValueError(f"interface `{name}`: give a node or several, counted from zero")
        if places.min() < 0 or places.max() >= count:
            raise ValueError(f"interface `{name}`: there are nodes 0 to {count - 1} only")
        if places.ndim == 0:
            tables.append(toml_table("[[interface]]", {"name": name, "node": int(places) + 1, **keys}))
            continue
        for node in places.tolist():
            if node in owners:
                raise ValueError(f"interface `{name}`: node {node} belongs to another interface")
            owners[node] = f"set{number}"
        tables.append(toml_table("[[interface]]", {"name": name, "set": f"set{number}", **keys}))
    return tables, owners


def _write_matrix(path: str, words: str, given: Any, size: int) -> None:
    """The lower triangle as a Matrix Market file, with all digits."""
    from scipy import io, sparse

    matrix = sparse.coo_matrix(given, dtype=float)
    matrix.sum_duplicates()
    if matrix.shape != (size, size):
        raise ValueError(f"the {words} matrix is {matrix.shape}, the freedoms of the nodes are {size}")
    if not np.isfinite(matrix.data).all():
        raise ValueError(f"the {words} matrix has entries that are not finite")
    if abs(matrix - matrix.T).max() > 1e-9 * abs(matrix).max():
        raise ValueError(f"the {words} matrix is not symmetric")
    io.mmwrite(path, sparse.coo_matrix(0.5 * (matrix + matrix.T)), symmetry="symmetric", precision=17)


def _reduced(
    folder: str,
    name: str,
    parts: list[str],
    reduction: Mapping[str, Any],
    output: str | os.PathLike[str] | None,
    head: Mapping[str, Any] | None = None,
) -> ReducedBody:
    """Reduces a part whose files lie in a folder."""
    top = toml_table("", {"name": name, **(head or {})})
    text = "\n".join([top, *parts, toml_table("[reduction]", reduction)])
    return reduce(os.path.join(folder, "part.toml"), text=text, output=output)
