"""Meshes of arrays, as meshio has them, to the text of a Gmsh file (format 2.2)."""

from __future__ import annotations

from typing import Any, Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

Nodes = NDArray[np.int_]

# Type of cell: dimension, number of the type in Gmsh, nodes, order of the nodes in Gmsh.
_TYPES: dict[str, tuple[int, int, list[int]]] = {
    "line": (1, 1, [0, 1]),
    "line3": (1, 8, [0, 1, 2]),
    "triangle": (2, 2, [0, 1, 2]),
    "triangle6": (2, 9, [0, 1, 2, 3, 4, 5]),
    "quad": (2, 3, [0, 1, 2, 3]),
    "quad8": (2, 16, [0, 1, 2, 3, 4, 5, 6, 7]),
    "tetra": (3, 4, [0, 1, 2, 3]),
    "tetra10": (3, 11, [0, 1, 2, 3, 4, 5, 6, 7, 9, 8]),
    "hexahedron": (3, 5, [0, 1, 2, 3, 4, 5, 6, 7]),
    "hexahedron20": (3, 17, [0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 16, 9, 17, 10, 18, 19, 12, 15, 13, 14]),
    "wedge": (3, 6, [0, 1, 2, 3, 4, 5]),
    "wedge15": (3, 18, [0, 1, 2, 3, 4, 5, 6, 8, 12, 7, 13, 14, 9, 11, 10]),
    "pyramid": (3, 7, [0, 1, 2, 3, 4]),
}
_POINT = 15


def blocks_of(cells: Any, count: int) -> list[tuple[str, Nodes]]:
    """Blocks of cells as (type, nodes), checked; single vertices are left out."""
    pairs: Iterable[Any] = cells.items() if isinstance(cells, Mapping) else cells
    blocks = []
    for entry in pairs:
        kind, nodes = (entry.type, entry.data) if hasattr(entry, "data") and hasattr(entry, "type") else entry
        if kind == "vertex":
            continue
        if kind not in _TYPES:
            raise ValueError(f"cells of type {kind!r}: known are {', '.join(_TYPES)}")
        table = np.asarray(nodes)
        width = len(_TYPES[kind][2])
        if table.ndim != 2 or table.shape[1] != width or table.dtype.kind not in "iu":
            raise ValueError(f"cells of type {kind!r} are rows of {width} nodes, not {table.shape} of {table.dtype}")
        if table.size and not (0 <= table.min() and table.max() < count):
            raise ValueError(f"cells of type {kind!r}: there are nodes 0 to {count - 1} only")
        blocks.append((str(kind), table))
    return blocks


def gmsh_text(positions: NDArray[np.float64], blocks: list[tuple[str, str, Nodes]], sets: Mapping[int, str]) -> str:
    """A mesh file: ``blocks`` are (group, type, nodes), ``sets`` the group of single nodes."""
    groups = [(_TYPES[kind][0], group) for group, kind, _ in blocks]
    groups += [(0, group) for group in dict.fromkeys(sets.values())]
    lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$PhysicalNames", str(len(groups))]
    lines += [f'{dimension} {tag} "{group}"' for tag, (dimension, group) in enumerate(groups, 1)]
    lines += ["$EndPhysicalNames", "$Nodes", str(len(positions))]
    lines += [f"{number} {x!r} {y!r} {z!r}" for number, (x, y, z) in enumerate(positions.tolist(), 1)]
    lines += ["$EndNodes", "$Elements"]
    elements = []
    for tag, (_, kind, table) in enumerate(blocks, 1):
        _, number, order = _TYPES[kind]
        elements += [(number, tag, row) for row in (table[:, order] + 1).tolist()]
    tags = {group: tag for tag, (_, group) in enumerate(groups, 1)}
    elements += [(_POINT, tags[group], [node + 1]) for node, group in sets.items()]
    lines.append(str(len(elements)))
    for index, (number, tag, row) in enumerate(elements, 1):
        lines.append(f"{index} {number} 2 {tag} {tag} {' '.join(map(str, row))}")
    lines += ["$EndElements", ""]
    return "\n".join(lines)
