"""Archives of Ansys MAPDL (``CDWRITE``: ``.cdb``, ``.dat``) as flexible bodies, read by the package ``mapdl-archive``.

Nodes, elements and node components come from that package; materials (``MPDATA``) are read here. An element of many nodes may be
degenerate: nodes that are named twice make a wedge, a pyramid or a tetrahedron of a hexahedron, and a triangle of a quadrilateral.
"""

from __future__ import annotations

import os
import re
from typing import Any, Mapping, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from ._fem import ReducedBody, reduce_mesh

Chosen = Union[str, int, Sequence[int], "NDArray[np.int_]", Mapping[str, Any]]
"""A node component by name, numbers of nodes as in the archive, or ``{"nodes": either, **keys of an interface}``."""

# Elements by their number, and nodes of the whole shape.
_SOLIDS = {45: 8, 185: 8, 95: 20, 186: 20, 92: 10, 187: 10, 285: 4}
_SHELLS = {63: 4, 181: 4, 93: 8, 281: 8}
#: Of these the number of the real constants stands for the section.
_OF_REAL_CONSTANTS = {63, 93}
# Corners of whole shapes.
_CORNERS = {4: 4, 8: 8, 10: 4, 20: 8}
# Numbers of a unit system in SI: length, modulus, density.
_UNITS = {"SI": (1.0, 1.0, 1.0), "mm-t-s": (1e-3, 1e6, 1e12)}
# First fields of an element before its nodes.
_HEAD = 10


def import_ansys(
    path: str | os.PathLike[str],
    interfaces: Mapping[str, Chosen],
    *,
    units: str = "SI",
    thickness: Mapping[int, float] | float | None = None,
    materials: Mapping[int, Mapping[str, Any]] | None = None,
    name: str = "part",
    output: str | os.PathLike[str] | None = None,
    **reduction: Any,
) -> ReducedBody:
    """A flexible body from an archive of Ansys (``.cdb``), reduced by our own elements; needs ``pip install mapdl-archive``.

    Read are SOLID185, 186, 187, 285 (45, 95, 92) and SHELL181, 281 (63, 93), isotropic materials, and node components, which
    ``interfaces`` name. ``units`` are those of the archive: ``"SI"`` or ``"mm-t-s"``. ``thickness`` of shells (m) is given for all or by
    number of the section; ``materials`` (``young``, ``poisson``, ``density``, SI) take the place of those with the same number.
    Everything else that has mass or stiffness is refused by name. ``reduction`` takes the keys of ``[reduction]``.
    """
    if units not in _UNITS:
        raise ValueError(f"units {units!r}: known are {' and '.join(_UNITS)}")
    length, modulus, density = _UNITS[units]
    archive = _opened(path)
    numbers = np.asarray(archive.nnum)
    places = {int(number): place for place, number in enumerate(numbers)}
    stuff = {
        number: {"young": entry["young"] * modulus, "poisson": entry["poisson"], "density": entry["density"] * density}
        for number, entry in _materials(path).items()
        if len(entry) == 3
    }
    stuff.update({int(number): dict(entry) for number, entry in (materials or {}).items()})
    blocks, properties = _blocks(archive, places, stuff, thickness)
    used = np.unique(np.concatenate([table.ravel() for _, table in blocks]))
    # Nodes that no element uses (of contacts, of orientations) have no place in the body.
    renumbered = np.full(len(numbers), -1)
    renumbered[used] = np.arange(len(used))
    chosen = {label: _chosen(label, given, archive, places, renumbered) for label, given in interfaces.items()}
    points = np.asarray(archive.nodes, dtype=float)[used, :3] * length
    cells = [(kind, renumbered[table]) for kind, table in blocks]
    return reduce_mesh((points, cells), chosen, properties, name=name, output=output, **reduction)


def _opened(path: str | os.PathLike[str]) -> Any:
    try:
        import mapdl_archive
    except ImportError as fault:
        raise ImportError("archives of Ansys are read by the package mapdl-archive: pip install mapdl-archive") from fault
    if not os.path.exists(path):
        raise FileNotFoundError(f"no such file: {os.fspath(path)}")
    archive = mapdl_archive.Archive(os.fspath(path), parse_vtk=False)
    if len(archive.nodes) == 0 or len(archive.elem) == 0:
        raise ValueError(f"{os.fspath(path)} has no blocks of nodes and elements (NBLOCK, EBLOCK): write it with CDWRITE,DB")
    return archive


def _materials(path: str | os.PathLike[str]) -> dict[int, dict[str, float]]:
    """Young's modulus, Poisson's ratio and density by number, of lines ``MPDATA,R5.0,1,EX,1,1,7e10,``."""
    words = {"EX": "young", "NUXY": "poisson", "PRXY": "poisson", "DENS": "density"}
    harmless = {"ALPX", "CTEX", "KXX", "C", "DAMP", "DMPR", "REFT", "MU", "ALPD", "BETD", "RSVX", "MURX", "GXY", "HF", "EMIS", "ENTH"}
    found: dict[int, dict[str, float]] = {}
    with open(path, encoding="latin1") as file:
        for number, line in enumerate(file, 1):
            head = line.lstrip()[:6].upper()
            if head.startswith("MPDATA"):
                fields = [field.strip() for field in line.split(",")]
                label, material, start = fields[3].upper(), int(fields[4]), int(fields[5] or 1)
                values = [float(field) for field in fields[6:] if field]
                if label in words and values:
                    # Further lines of a material begin with later temperatures.
                    before = [] if start == 1 else [found.get(material, {}).get(words[label], values[0])]
                    if len({*values, *before}) > 1:
                        raise ValueError(f"{os.fspath(path)}:{number}: {label} of material {material} changes with temperature")
                    found.setdefault(material, {})[words[label]] = values[0]
                elif not values:
                    continue
                elif label not in words and label not in harmless:
                    raise ValueError(
                        f"{os.fspath(path)}:{number}: {label} of material {material}: isotropic ones are read (EX, NUXY or PRXY, "
                        "DENS); give it by `materials`"
                    )
            elif re.match(r"TB(DATA)?\s*,", line.lstrip(), re.IGNORECASE) and re.search("ELAS|ANEL", line.upper()):
                raise ValueError(f"{os.fspath(path)}:{number}: a table of elasticity: give the material by `materials`")
            elif tied := re.match(r"(CE|CP|CERIG|CEINTF|CPINTF)\s*,", line.lstrip(), re.IGNORECASE):
                raise ValueError(
                    f"{os.fspath(path)}:{number}: {tied[1].upper()} ties nodes together, which is not read from archives: take it "
                    "out, or bring the part as matrices (book/src/exchange)"
                )
    return found


def _blocks(
    archive: Any, places: Mapping[int, int], stuff: Mapping[int, Any], thickness: Mapping[int, float] | float | None
) -> tuple[list[tuple[str, NDArray[np.int_]]], list[dict[str, Any]]]:
    """Cells by kind, material and section, and what they are made of."""
    kinds = {int(number): int(kind) for number, kind in np.asarray(archive.ekey)[:, :2]}
    groups: dict[tuple[str, int, int], list[list[int]]] = {}
    refused: dict[str, int] = {}
    for row in archive.elem:
        material, number = int(row[0]), kinds[int(row[1])]
        # Older shells have their thickness among real constants.
        section = int(row[2]) if number in _OF_REAL_CONSTANTS else int(row[3])
        nodes = [int(node) for node in row[_HEAD:]]
        shape = _shape(number, nodes)
        if isinstance(shape, str):
            refused[shape] = refused.get(shape, 0) + 1
            continue
        kind, corners = shape
        key = (kind, material, section if kind in ("triangle", "quad", "triangle6", "quad8") else 0)
        groups.setdefault(key, []).append([places[corner] for corner in corners])
    if refused:
        listed = "; ".join(f"{count} × {words}" for words, count in sorted(refused.items()))
        raise ValueError(f"elements that are not read: {listed}. Take them out of the archive (ESEL, NSLE) or use another format")
    blocks, properties = [], []
    for (kind, material, section), table in groups.items():
        if material not in stuff:
            raise ValueError(f"material {material} lacks one of EX, NUXY or PRXY, DENS: give it by `materials`")
        own: dict[str, Any] = dict(stuff[material])
        if section:
            own["thickness"] = _thickness(section, thickness)
        blocks.append((kind, np.array(table)))
        properties.append(own)
    return blocks, properties


def _thickness(section: int, given: Mapping[int, float] | float | None) -> float:
    found = given.get(section) if isinstance(given, Mapping) else given
    if found is None:
        raise ValueError(f"shells of section {section}: their thickness is not read, give `thickness={{{section}: 0.002}}` (m)")
    return float(found)


def _shape(number: int, nodes: list[int]) -> tuple[str, list[int]] | str:
    """The kind of cell and its nodes, or what is refused."""
    count = _SOLIDS.get(number) or _SHELLS.get(number)
    if count is None:
        return f"element type {number}"
    own, corners = nodes[:count], 4 if number in _SHELLS else _CORNERS[count]
    if count > corners and not any(own[corners:]):
        # All middle nodes are dropped: straight edges, linear displacements.
        own, count = own[:corners], corners
    if len(own) < count or 0 in own:
        return f"element type {number} without some of its middle nodes"
    if number in _SHELLS:
        i, j, k, l = own[:4]
        if count == 4:
            return ("triangle", [i, j, k]) if k == l else ("quad", own)
        return ("triangle6", [i, j, k, own[4], own[5], own[7]]) if k == l else ("quad8", own)
    if count in (4, 10):
        return ("tetra" if count == 4 else "tetra10"), own
    i, j, k, l, m, n, o, p = own[:8]
    middle = own[8:]
    if len({i, j, k, l, m, n, o, p}) == 8:
        return ("hexahedron" if count == 8 else "hexahedron20"), own
    if k == l and m == n == o == p:
        edges = [middle[at] for at in (0, 1, 3, 8, 9, 10)] if middle else []
        return ("tetra10" if middle else "tetra"), [i, j, k, m, *edges]
    if k == l and o == p:
        edges = [middle[at] for at in (0, 1, 3, 4, 5, 7, 8, 9, 10)] if middle else []
        return ("wedge15" if middle else "wedge"), [i, j, k, m, n, o, *edges]
    if m == n == o == p and not middle:
        return "pyramid", [i, j, k, l, m]
    return f"element type {number}, degenerate" + (" to a pyramid of thirteen nodes" if m == n == o == p else "")


def _chosen(label: str, given: Chosen, archive: Any, places: Mapping[int, int], renumbered: NDArray[np.int_]) -> dict[str, Any]:
    """Keys of an interface with nodes of the mesh."""
    keys: dict[str, Any] = dict(given) if isinstance(given, Mapping) else {"nodes": given}
    nodes: Any = keys.get("nodes")
    if isinstance(nodes, str):
        components = {str(name).upper(): numbers for name, numbers in archive.node_components.items()}
        if nodes.upper() not in components:
            listed = ", ".join(components) or "none"
            raise ValueError(f"interface `{label}`: no node component is called `{nodes}`: there are {listed}")
        nodes = components[nodes.upper()]
    single = np.ndim(nodes) == 0
    found = []
    for number in np.atleast_1d(np.asarray(nodes)).tolist():
        if number not in places or renumbered[places[number]] < 0:
            raise ValueError(f"interface `{label}`: no element has a node {number}")
        found.append(int(renumbered[places[number]]))
    keys["nodes"] = found[0] if single else found
    return keys
