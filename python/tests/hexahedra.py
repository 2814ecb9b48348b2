"""A beam of eight-node hexahedra: mesh, and its mass and stiffness matrices by NumPy, without anything of Flexura."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

CORNERS = np.array([[-1, -1, -1], [1, -1, -1], [1, 1, -1], [-1, 1, -1], [-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]])


@dataclass
class Block:
    """A straight block of elements along x."""

    nodes: NDArray[np.float64]
    elements: NDArray[np.int_]
    mass: Any
    stiffness: Any
    left: NDArray[np.int_]
    right: NDArray[np.int_]
    density: float
    young: float
    poisson: float

    @property
    def total_mass(self) -> float:
        return self.density * float(np.ptp(self.nodes, axis=0).prod())


def block(
    counts: tuple[int, int, int] = (8, 1, 1),
    size: tuple[float, float, float] = (1.0, 0.04, 0.06),
    *,
    young: float = 2e9,
    poisson: float = 0.3,
    density: float = 1200.0,
) -> Block:
    """A block of so many elements; its matrices are consistent, by eight points of integration."""
    grid = [np.linspace(0.0, edge, count + 1) for edge, count in zip(size, counts)]
    nodes = np.stack(np.meshgrid(*grid, indexing="ij"), -1).reshape(-1, 3)
    nodes -= [0.0, size[1] / 2, size[2] / 2]
    number = np.arange(len(nodes)).reshape([count + 1 for count in counts])
    steps = ((CORNERS + 1) // 2).tolist()
    cells = [
        [number[i + a, j + b, k + c] for a, b, c in steps]
        for i in range(counts[0])
        for j in range(counts[1])
        for k in range(counts[2])
    ]
    mass, stiffness = _element([edge / count for edge, count in zip(size, counts)], young, poisson, density)
    freedoms = np.array([[3 * node + axis for node in cell for axis in range(3)] for cell in cells])
    rows, columns = np.repeat(freedoms, 24, axis=1).ravel(), np.tile(freedoms, (1, 24)).ravel()
    size_of = (3 * len(nodes),) * 2
    assembled = [
        sparse.coo_matrix((np.tile(matrix.ravel(), len(cells)), (rows, columns)), shape=size_of).tocsr()
        for matrix in (mass, stiffness)
    ]
    left, right = (np.flatnonzero(np.isclose(nodes[:, 0], x)) for x in (0.0, size[0]))
    return Block(nodes, np.array(cells), assembled[0], assembled[1], left, right, density, young, poisson)


def _element(edges: list[float], young: float, poisson: float, density: float) -> tuple[Any, Any]:
    shear = young / (2 * (1 + poisson))
    first = young * poisson / ((1 + poisson) * (1 - 2 * poisson))
    law = np.diag([2 * shear] * 3 + [shear] * 3)
    law[:3, :3] += first
    half = np.array(edges) / 2
    volume = float(np.prod(half))
    mass, stiffness = np.zeros((24, 24)), np.zeros((24, 24))
    for point in CORNERS / np.sqrt(3.0):
        factors = 1 + CORNERS * point
        shape = factors.prod(axis=1) / 8
        slope = np.stack([CORNERS[:, a] * factors[:, (a + 1) % 3] * factors[:, (a + 2) % 3] / 8 / half[a] for a in range(3)], 1)
        strain = np.zeros((6, 24))
        for node, (x, y, z) in enumerate(slope):
            strain[:, 3 * node : 3 * node + 3] = [[x, 0, 0], [0, y, 0], [0, 0, z], [y, x, 0], [0, z, y], [z, 0, x]]
        moves = np.kron(shape, np.eye(3))
        mass += density * volume * moves.T @ moves
        stiffness += volume * strain.T @ law @ strain
    return mass, stiffness


def surface(cells: NDArray[np.int_]) -> NDArray[np.int_]:
    """Triangles of the outer faces."""
    faces = [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]]
    every = np.concatenate([cells[:, face] for face in faces])
    _, first, count = np.unique(np.sort(every, axis=1), axis=0, return_index=True, return_counts=True)
    outer = every[first[count == 1]]
    return np.concatenate([outer[:, [0, 1, 2]], outer[:, [0, 2, 3]]])


def skew(vector: NDArray[np.float64]) -> NDArray[np.float64]:
    """The matrix of a cross product."""
    x, y, z = vector
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])


def held_modes(part: Block, count: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Eigenvalues and mode shapes with the left end held."""
    from scipy.linalg import eigh

    free = np.setdiff1d(np.arange(3 * len(part.nodes)), (3 * part.left[:, None] + np.arange(3)).ravel())
    dense = [matrix.toarray()[np.ix_(free, free)] for matrix in (part.stiffness, part.mass)]
    values, vectors = eigh(*dense, subset_by_index=[0, count - 1])
    basis = np.zeros((3 * len(part.nodes), count))
    basis[free] = vectors
    return values, basis
