"""Reduced bodies for Exudyn: files of its ``ObjectFFRFreducedOrderInterface``; what they hold stands in ``_exudyn.py``."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._body_file import BodyFile, Floats, read_body

REDUCED = [
    "modeBasis", "trigList", "postProcessingModes", "massMatrixReduced", "stiffnessMatrixReduced", "infoList", "rigidBodyNodeType",
    "xRef", "inertiaLocal", "Mtt", "totalMass", "chiU", "chiUtilde", "mPsiTildePsi", "mPsiTildePsiTilde", "mPhitTPsi",
    "mPhitTPsiTilde", "mXRefTildePsi", "mXRefTildePsiTilde",
]  # fmt: skip
"""What a reduced-order file holds, in the order of ``.npy`` files."""


@dataclass(frozen=True)
class ExudynFile:
    """What was written for Exudyn."""

    nodes: dict[str, list[int]]
    """Nodes around each frame, for ``MarkerSuperElementRigid(meshNodeNumbers=...)``."""
    left_out: list[str]
    """What the format has no place for."""


def _skew(vectors: Floats) -> Floats:
    """Matrices of cross products."""
    x, y, z = vectors[..., 0], vectors[..., 1], vectors[..., 2]
    o = np.zeros_like(x)
    return np.stack([np.stack([o, -z, y], -1), np.stack([z, o, -x], -1), np.stack([-y, x, o], -1)], -2)


def export_exudyn(body: str | os.PathLike[str], output: str | os.PathLike[str]) -> ExudynFile:
    """Writes a reduced body (``.fxb``) for Exudyn's ``ObjectFFRFreducedOrderInterface.LoadFromFile`` (``.npz`` or ``.npy``).

    Reduce the part with ``stiffening = false``: the format has no place for displacements of second order. Points of the
    body's picture become mesh nodes, and each frame six more around it, whose numbers are returned.
    """
    path, ending = os.fspath(output), os.path.splitext(os.fspath(output))[1]
    if ending not in (".npz", ".npy"):
        raise ValueError(f"{path}: files for Exudyn end in .npz or .npy")
    found = read_body(body)
    if found.curved:
        raise ValueError(
            f"{os.fspath(body)} has displacements of second order, for which Exudyn's format has no place: reduce the part "
            "with `stiffening = false` in [reduction]"
        )
    left_out = ["damping: give massProportionalDamping and stiffnessProportionalDamping in Exudyn"] if found.damped else []
    left_out += ["stresses"]
    own, n = found.inertia, len(found.stiffness)
    twisted = abs(own.angular1 + own.angular1.transpose(1, 0, 2)).max(initial=0.0)
    if twisted > 1e-9 * abs(own.angular1).max(initial=1e-300):
        left_out.append("Coriolis moments of turning sections: Exudyn has those of points")
    places, basis, nodes = _mesh_nodes(found)
    skewed = 0.5 * (own.angular1 - own.angular1.transpose(1, 0, 2))
    values: dict[str, Any] = {
        "modeBasis": basis,
        "trigList": found.triangles,
        "postProcessingModes": {},
        "massMatrixReduced": own.modal,
        "stiffnessMatrixReduced": found.stiffness,
        # Modes, nodes, dimension, rotation parameters (Euler's), coordinates of the frame and of all.
        "infoList": np.array([n, len(places), 3, 4, 7, 7 + n]),
        "rigidBodyNodeType": "NodeType.RotationEulerParameters",
        "xRef": places.ravel(),
        "inertiaLocal": own.inertia,
        "Mtt": own.mass * np.eye(3),
        "totalMass": np.float64(own.mass),
        "chiU": own.moment / own.mass,
        "chiUtilde": _skew(own.moment / own.mass),
        "mPsiTildePsi": -own.angular1.transpose(1, 2, 0).reshape(3 * n, n),
        "mPsiTildePsiTilde": (own.inertia2 + 0.5 * _skew(skewed)).transpose(0, 2, 1, 3).reshape(3 * n, 3 * n),
        "mPhitTPsi": own.moment1.T,
        "mPhitTPsiTilde": _skew(own.moment1).transpose(1, 0, 2).reshape(3, 3 * n),
        "mXRefTildePsi": -own.angular.T,
        "mXRefTildePsiTilde": (0.5 * (own.inertia1 - _skew(own.angular))).transpose(1, 0, 2).reshape(3, 3 * n),
    }
    if ending == ".npz":
        np.savez(path, **values, fileVersion=1, type="ObjectFFRFreducedOrderInterface")
    else:
        with open(path, "wb") as file:
            np.save(file, np.array([1]))
            for key in REDUCED:
                np.save(file, values[key], allow_pickle=True)
    return ExudynFile(nodes, left_out)


def _mesh_nodes(body: BodyFile) -> tuple[Floats, Floats, dict[str, list[int]]]:
    """Places, modes (3 × places rows), and the nodes around each frame."""
    every = np.concatenate([body.points, *(frame.position[None] for frame in body.frames)])
    arm = 0.01 * float(np.ptp(every, axis=0).max()) or 0.01
    arms = arm * np.concatenate([np.eye(3), -np.eye(3)])
    places, moves = [body.points], [body.displacements.transpose(1, 2, 0)]
    nodes, count = {}, len(body.points)
    for frame in body.frames:
        nodes[frame.name] = list(range(count, count + len(arms)))
        count += len(arms)
        places.append(frame.position + arms)
        turned = np.cross(frame.rotations[None], arms[:, None])
        moves.append((frame.translations[None] + turned).transpose(0, 2, 1))
    basis = np.concatenate(moves)
    return np.concatenate(places), basis.reshape(3 * count, -1), nodes
