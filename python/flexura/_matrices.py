"""Flexible bodies from mass and stiffness matrices of any finite element program.

Shapes: modes held at the reference, or one static shape per interface freedom and modes with
all interfaces fixed (R. R. Craig, M. C. C. Bampton, "Coupling of substructures for dynamic
analyses", 1968). The mass of the body follows from the mass matrix with nodal velocities
B = [1, −r~, φ; 0, 1, λ], r = l0 + φη (J. Cuadrado, D. Dopico, M. Gonzalez, M. A. Naya; U. Lugris
and co-workers, 2007): sums that do not grow with the mesh. No geometric stiffening.
"""

from __future__ import annotations

import os
from typing import Any, Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _flexura
from ._analysis import ReducedBody

Floats = NDArray[np.float64]

_PAIRS = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))
_AXES = np.eye(3)


def reduce_matrices(
    mass: Any,
    stiffness: Any,
    nodes: ArrayLike,
    *,
    reference: int,
    interfaces: Mapping[str, int],
    modes: int,
    output: str | os.PathLike[str],
    method: str = "craig-bampton",
    name: str = "part",
    damping_ratio: float = 0.0,
) -> ReducedBody:
    """Reduces a structure given by sparse matrices and a table of nodes; writes a body (.fxb).

    ``nodes`` are positions (m), one row per node; every node has six freedoms: three translations
    (m), three rotations (rad), node after node in the matrices (SciPy sparse or dense, nothing held).
    ``reference`` is the node of the body's origin, ``interfaces`` name nodes that become frames.
    ``method`` is ``"clamped"`` or ``"craig-bampton"``. A model takes the body by ``fe = "part.fxb"``.
    """
    import scipy.sparse as sparse

    positions = np.asarray(nodes, dtype=float)
    size = 6 * len(positions)
    m, k = (sparse.csc_matrix(matrix, dtype=float) for matrix in (mass, stiffness))
    _check(m, k, positions, size, reference, interfaces, modes, method)
    shapes, static = _shapes(m, k, size, reference, interfaces, modes, method)
    reduced_mass, reduced_stiffness = _symmetric(shapes.T @ (m @ shapes)), _symmetric(shapes.T @ (k @ shapes))
    import scipy.linalg

    frequencies = np.sqrt(np.clip(scipy.linalg.eigvalsh(reduced_stiffness, reduced_mass), 0, None)) / (2 * np.pi)
    parts = _sums(m, shapes, positions - positions[reference])
    parts.update(
        name=name,
        frames=_frames(shapes, positions - positions[reference], interfaces),
        stiffness=reduced_stiffness.ravel().tolist(),
        ratios=[float(damping_ratio)] * shapes.shape[1] if damping_ratio else [],
        frequencies=frequencies.tolist(),
        static_shapes=static,
        unknowns=size - 6,
    )
    _flexura.write_body(os.fspath(output), parts)
    lines = [f"{size - 6} unknowns -> {static} static + {shapes.shape[1] - static} dynamic shapes"]
    lines += [f"{number + 1:4d}  {value:14.6e} Hz" for number, value in enumerate(frequencies)]
    return ReducedBody(
        name=name,
        frequencies=frequencies,
        static_shapes=static,
        unknowns=size - 6,
        total_mass=float(parts["mass"]),
        carried=[],
        static_residual=None,
        stiffness=reduced_stiffness,
        mass=reduced_mass,
        notices=[],
        report="\n".join(lines),
    )


def _check(
    m: Any, k: Any, positions: Floats, size: int, reference: int, interfaces: Mapping[str, int], modes: int, method: str
) -> None:
    if positions.ndim != 2 or positions.shape[1] != 3 or not np.isfinite(positions).all():
        raise ValueError(f"nodes must be finite positions, one row of three per node, not {positions.shape}")
    for words, matrix in (("mass", m), ("stiffness", k)):
        if matrix.shape != (size, size):
            raise ValueError(f"the {words} matrix is {matrix.shape}, six freedoms of {len(positions)} nodes need {size}")
        if not np.isfinite(matrix.data).all():
            raise ValueError(f"the {words} matrix has entries that are not finite")
        if abs(matrix - matrix.T).max() > 1e-9 * abs(matrix).max():
            raise ValueError(f"the {words} matrix is not symmetric")
    for words, node in [("reference", reference), *interfaces.items()]:
        if not 0 <= node < len(positions):
            raise ValueError(f"{words}: no node {node}, there are {len(positions)}")
    if method not in ("clamped", "craig-bampton"):
        raise ValueError(f'method = {method!r}: choose "clamped" or "craig-bampton"')
    if not 1 <= modes <= size - 8:
        raise ValueError(f"modes = {modes}: choose 1 to {size - 8}")
    rigid = _rigid(positions - positions[reference])
    if abs(k @ rigid).max() > 1e-6 * abs(k).max() * max(1.0, abs(rigid).max()):
        raise ValueError("the stiffness matrix resists rigid motions: give it without supports")


def _symmetric(matrix: Floats) -> Floats:
    half: Floats = 0.5 * (matrix + matrix.T)
    return half


def _rigid(positions: Floats) -> Floats:
    """Nodal velocities of unit translations, then of unit rotations about the origin."""
    out = np.zeros((6 * len(positions), 6))
    for axis in range(3):
        out[axis::6, axis] = 1.0
        out[3 + axis :: 6, 3 + axis] = 1.0
        for component in range(3):
            out[component::6, 3 + axis] = np.cross(_AXES[axis], positions)[:, component]
    return out


def _shapes(
    m: Any, k: Any, size: int, reference: int, interfaces: Mapping[str, int], modes: int, method: str
) -> tuple[Floats, int]:
    """Nodal shapes, static ones first, and how many of those there are."""
    from scipy.sparse.linalg import eigsh, splu

    held = np.arange(6 * reference, 6 * reference + 6)
    joined = sorted({node for node in interfaces.values() if node != reference})
    boundary = np.concatenate([np.arange(6 * node, 6 * node + 6) for node in joined]) if joined else np.arange(0)
    if method == "clamped":
        boundary = np.arange(0)
    inner = np.setdiff1d(np.arange(size), np.concatenate([held, boundary]))
    static = np.zeros((size, boundary.size))
    inside = k[inner][:, inner].tocsc()
    if boundary.size:
        static[boundary] = np.eye(boundary.size)
        static[inner] = splu(inside).solve(-k[inner][:, boundary].toarray())
    _, vectors = eigsh(inside, modes, m[inner][:, inner].tocsc(), sigma=0.0, v0=np.ones(inner.size))
    dynamic = np.zeros((size, modes))
    # The sign of a mode is free: the largest entry is positive, the same on every machine.
    dynamic[inner] = vectors * np.sign(vectors[abs(vectors).argmax(axis=0), np.arange(modes)])
    return np.hstack([static, dynamic]), boundary.size


def _frames(shapes: Floats, positions: Floats, interfaces: Mapping[str, int]) -> list[Any]:
    def rows(node: int, first: int) -> Any:
        return shapes[6 * node + first : 6 * node + first + 3].T.tolist()

    return [(str(name), positions[node].tolist(), rows(node, 0), rows(node, 3)) for name, node in interfaces.items()]


def _sums(m: Any, shapes: Floats, positions: Floats) -> dict[str, Any]:
    """The sums of the mass block: see the head of this file."""
    rigid = _rigid(positions)
    translation, turn = rigid[:, :3], rigid[:, 3:]
    count = shapes.shape[1]
    # W1_r: the rotation columns change with mode r by e × φ_r at every node.
    change = np.zeros((count, len(shapes), 3))
    for r in range(count):
        moved = np.stack([shapes[axis::6, r] for axis in range(3)], axis=1)
        for axis in range(3):
            turned = np.cross(_AXES[axis], moved)
            for component in range(3):
                change[r, component::6, axis] = turned[:, component]
    weighted_turn, weighted_shapes = m @ turn, m @ shapes
    weighted_change = [m @ change[r] for r in range(count)]
    first = translation.T @ weighted_turn

    def six(matrix: Floats) -> list[float]:
        return [float(_symmetric(matrix)[pair]) for pair in _PAIRS]

    return {
        "mass": float(np.trace(translation.T @ (m @ translation)) / 3),
        "moment0": [float(first[i, j] - first[j, i]) / 2 for i, j in ((1, 2), (2, 0), (0, 1))],
        "moment1": (translation.T @ weighted_shapes).T.tolist(),
        "inertia0": six(turn.T @ weighted_turn),
        "inertia1": [six(2 * _symmetric(change[r].T @ weighted_turn)) for r in range(count)],
        "inertia2": [six(change[r].T @ weighted_change[s]) for r in range(count) for s in range(count)],
        "angular0": (turn.T @ weighted_shapes).T.tolist(),
        "angular1": [(change[s].T @ weighted_shapes[:, r]).tolist() for r in range(count) for s in range(count)],
        "modal": _symmetric(shapes.T @ weighted_shapes).ravel().tolist(),
    }
