"""Flexible bodies of Exudyn: files of its ``FEMinterface`` and of its ``ObjectFFRFreducedOrderInterface``.

Both programs have the same equations for a body of modes without displacements of second order. With x the places at rest, φ_r
the modes, ~ the matrix of a cross product and M the mass matrix, a file of Exudyn holds (Zwölfer and Gerstmayr, *Acta
Mechanica* 232, 2021) and a body here needs (theory/inertia, IN.7)::

    inertiaLocal           = x~ᵀ M x~          I0
    mXRefTildePsi[:, r]    = x~ᵀ M φ_r         F0_r  = −that
    mXRefTildePsiTilde     = x~ᵀ M φ_r~        I1_r  = 2 sym(that);   its skew part is −½ F0_r~
    mPsiTildePsi           = φ_s~ᵀ M φ_r       F1_rs = −that
    mPsiTildePsiTilde      = φ_r~ᵀ M φ_s~      I2_rs = sym(that);     its skew part is  ½ F1_rs~

since a~ᵀ b~ = a·b 1 − b aᵀ. Cost O(n²) for n modes.
"""

from __future__ import annotations

import io
import os
from dataclasses import replace
from typing import Any, Mapping, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from ._body_file import BodyFile, Floats, Frame, Inertia, write_body
from ._exudyn_out import REDUCED
from ._fem import ReducedBody, reduce_matrices
from ._plain import NotPlain, load_archive, load_array, load_pickle

Places = Union[str, int, Sequence[int], "NDArray[np.int_]", Mapping[str, Any]]
"""A node set of the file by name, a node, several nodes, or ``{"nodes": .., **keys of an interface}``; nodes count from zero."""

_LISTS = ["surface", "nodeSets", "elementSets", "modeBasis", "eigenValues", "postProcessingModes"]


def import_exudyn(
    path: str | os.PathLike[str],
    frames: Mapping[str, Places] | None = None,
    *,
    name: str = "part",
    output: str | os.PathLike[str] | None = None,
    **reduction: Any,
) -> ReducedBody:
    """A flexible body from a file that Exudyn's ``SaveToFile`` wrote (``.npz``, ``.npy``, ``.pkl``).

    A file of ``FEMinterface`` has the matrices of the whole structure, which are reduced here: ``frames`` are its interfaces (all
    node sets of the file by default) and ``reduction`` takes the keys of ``[reduction]``. A file of
    ``ObjectFFRFreducedOrderInterface`` has a body with modes, which are kept as they are; ``frames`` then follow the mean motion of
    their nodes. The body is written to ``output`` (.fxb); a model takes it by ``fe = "part.fxb"``.

    Files are read without running what they hold: anything but numbers, texts, lists, arrays and sparse matrices is refused.
    """
    data = read_exudyn(path)
    if "massMatrixReduced" in data:
        if reduction:
            raise ValueError(f"{', '.join(reduction)}: the file holds a body that is reduced already, its modes are kept")
        return _kept(data, frames or {}, name, output)
    return _reduced_anew(data, frames, name, output, reduction)


def read_exudyn(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The plain data of a file of Exudyn, by the names it has there."""
    shown, ending = os.fspath(path), os.path.splitext(os.fspath(path))[1].lower()
    try:
        if ending == ".npz":
            data = load_archive(shown)
        elif ending == ".npy":
            data = _in_order(shown)
        elif ending == ".pkl":
            with open(path, "rb") as file:
                data = load_pickle(io.BytesIO(file.read()))
        else:
            raise ValueError(f"{shown}: files of Exudyn end in .npz, .npy or .pkl; save HDF5 files as .npz there")
    except NotPlain as fault:
        raise ValueError(f"{shown}: {fault}") from fault
    if not isinstance(data, dict) or not ("massMatrixReduced" in data or "massMatrix" in data):
        raise ValueError(f"{shown} is no file of Exudyn's FEMinterface or ObjectFFRFreducedOrderInterface")
    return data


def _in_order(path: str) -> dict[str, Any]:
    """A ``.npy`` file of Exudyn: arrays one after another, the version first."""
    data: dict[str, Any] = {}
    with open(path, "rb") as opened:
        content = opened.read()
    file, found = io.BytesIO(content), []
    while file.tell() < len(content):
        found.append(load_array(file))
    if len(found) < 2 or np.shape(found[0]) != (1,):
        raise NotPlain("no version stands first")
    version, rest = int(found[0][0]), found[1:]
    if isinstance(rest[0], dict):
        names = ["nodes", "elements"]
        if version >= 2 and len(rest) > 2 and isinstance(rest[2], dict):
            data.update(rest.pop(2))
        else:
            names += ["massMatrix", "stiffnessMatrix"]
        names += _LISTS + ["metaData"]
    else:
        names = REDUCED
    data.update(zip(names, rest))
    return data


def _reduced_anew(
    data: Mapping[str, Any],
    frames: Mapping[str, Places] | None,
    name: str,
    output: str | os.PathLike[str] | None,
    reduction: Mapping[str, Any],
) -> ReducedBody:
    """The structure of a FEMinterface by our own reduction."""
    kinds = [kind for kind, table in data["nodes"].items() if len(table)]
    known = {"Position": "123", "RigidBodyRxyz": "123456"}
    if len(kinds) != 1 or kinds[0] not in known:
        raise ValueError(f"nodes of kinds {', '.join(kinds) or 'none'}: known are {' or '.join(known)}, one kind per file")
    positions = np.asarray(data["nodes"][kinds[0]], dtype=float)[:, :3]
    sets = {str(entry["Name"]): entry for entry in data.get("nodeSets", [])}
    chosen: Mapping[str, Places] = {label: label for label in sets} if frames is None else frames
    if not chosen:
        raise ValueError("the file has no node sets: give `frames` by nodes")
    notices = []
    interfaces: dict[str, Any] = {}
    for label, given in chosen.items():
        keys: dict[str, Any] = dict(given) if isinstance(given, Mapping) else {"nodes": given}
        if isinstance(keys["nodes"], str):
            entry = _set(sets, keys["nodes"])
            weights = np.asarray(entry.get("NodeWeights", []), dtype=float)
            if weights.size and np.ptp(weights) > 1e-9 * abs(weights).max():
                notices.append(f"frame `{label}`: weights of node set `{keys['nodes']}` are not used")
            keys["nodes"] = np.asarray(entry["NodeNumbers"])
        interfaces[label] = keys
    size = len(positions) * len(known[kinds[0]])
    stiffness, mass = (_matrix(data.get(key), key, size) for key in ("stiffnessMatrix", "massMatrix"))
    body = reduce_matrices(
        mass, stiffness, positions, interfaces, freedoms=known[kinds[0]], name=name, output=output, **reduction
    )
    return replace(body, notices=body.notices + notices)


def _set(sets: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    if name not in sets:
        raise ValueError(f"no node set is called `{name}`: there are {', '.join(sets) or 'none'}")
    found: Mapping[str, Any] = sets[name]
    return found


def _matrix(given: Any, words: str, size: int) -> Any:
    """A matrix of the file: sparse, or rows of (row, column, value)."""
    from scipy import sparse

    if given is None:
        raise ValueError(f"the file has no {words}")
    if sparse.issparse(given):
        return given
    table = np.asarray(given, dtype=float)
    if table.ndim != 2 or table.shape[1] != 3:
        raise ValueError(f"the {words} is {table.shape}, neither sparse nor rows of row, column, value")
    places = table[:, :2].astype(np.int64)
    if len(places) and not (0 <= places.min() and places.max() < size):
        raise ValueError(f"the {words} has places outside of its {size} rows")
    return sparse.coo_matrix((table[:, 2], (places[:, 0], places[:, 1])), shape=(size, size)).tocsr()


def _kept(
    data: Mapping[str, Any], frames: Mapping[str, Places], name: str, output: str | os.PathLike[str] | None
) -> ReducedBody:
    """A body with the modes of the file."""
    places, basis, inertia, stiffness = _sums(data)
    n = len(stiffness)
    notices = ["modes are those of Exudyn's file: without geometric stiffening, and not judged in runs"]
    moves = basis.reshape(len(places), 3, n)
    found = [_frame(label, given, places, moves, notices) for label, given in frames.items()]
    squares, shapes = _eigen(stiffness, inertia.modal)
    frequencies = np.sqrt(np.maximum(squares, 0.0)) / (2.0 * np.pi)
    effective = (np.hstack([inertia.moment1, inertia.angular]).T @ shapes).T ** 2
    triangles = _triangles(_there(data, "trigList"), len(places))
    used, corners = np.unique(triangles, return_inverse=True) if triangles.size else (np.arange(0), triangles)
    body = BodyFile(
        name=name,
        stiffness=stiffness,
        inertia=inertia,
        frames=found,
        points=places[used],
        displacements=moves[used].transpose(2, 0, 1),
        triangles=corners.reshape(-1, 3),
        frequencies=frequencies,
        effective=effective,
        unknowns=3 * len(places),
        notices=notices,
    )
    if output is not None:
        write_body(output, body)
    total = np.array([inertia.mass] * 3 + np.diag(inertia.inertia).tolist())
    words = f"{3 * len(places)} unknowns, {n} modes of Exudyn's file, {inertia.mass:.6g} kg\n"
    words += "".join(f"{frequency:12.4f} Hz\n" for frequency in frequencies)
    return ReducedBody(
        name, frequencies, 0, 3 * len(places), inertia.mass, (effective.sum(axis=0) / total).tolist(), None, None,
        stiffness, inertia.modal, notices, words,
    )  # fmt: skip


def _there(data: Mapping[str, Any], key: str) -> Any:
    if key not in data:
        raise ValueError(f"the file has no `{key}`")
    return data[key]


def _table(data: Mapping[str, Any], key: str, shape: tuple[int, ...]) -> Floats:
    """Numbers of the file, of this shape."""
    table = np.asarray(_there(data, key), dtype=float)
    if table.shape != shape or not np.isfinite(table).all():
        raise ValueError(f"`{key}` should be finite numbers of shape {shape}, not of {table.shape}")
    return table


def _sums(data: Mapping[str, Any]) -> tuple[Floats, Floats, Inertia, Floats]:
    """Places, modes, sums over the mass, and stiffness of a reduced-order file."""
    n, size = (np.size(found, 0) if np.ndim(found := _there(data, key)) else 0 for key in ("massMatrixReduced", "xRef"))
    modal, stiffness = _table(data, "massMatrixReduced", (n, n)), _table(data, "stiffnessMatrixReduced", (n, n))
    basis, places = _table(data, "modeBasis", (size, n)), _table(data, "xRef", (size,)).reshape(-1, 3)
    mass = float(_table(data, "totalMass", ()))
    twice = _table(data, "mPsiTildePsiTilde", (3 * n, 3 * n)).reshape(n, 3, n, 3).transpose(0, 2, 1, 3)
    once = _table(data, "mXRefTildePsiTilde", (3, 3 * n)).reshape(3, n, 3).transpose(1, 0, 2)
    inertia2 = 0.5 * (twice + twice.transpose(0, 1, 3, 2))
    inertia = Inertia(
        mass=mass,
        moment=mass * _table(data, "chiU", (3,)),
        moment1=_table(data, "mPhitTPsi", (3, n)).T,
        inertia=_table(data, "inertiaLocal", (3, 3)),
        inertia1=once + once.transpose(0, 2, 1),
        inertia2=0.5 * (inertia2 + inertia2.transpose(1, 0, 2, 3)),
        angular=-_table(data, "mXRefTildePsi", (3, n)).T,
        angular1=-_table(data, "mPsiTildePsi", (3 * n, n)).reshape(n, 3, n).transpose(2, 0, 1),
        modal=modal,
    )
    for words, matrix in (("massMatrixReduced", modal), ("stiffnessMatrixReduced", stiffness), ("inertiaLocal", inertia.inertia)):
        if abs(matrix - matrix.T).max() > 1e-9 * abs(matrix).max():
            raise ValueError(f"`{words}` is not symmetric")
    _definite(inertia)
    return places, basis, inertia, 0.5 * (stiffness + stiffness.T)


def _definite(inertia: Inertia) -> None:
    """Refuses modes that move as the body's frame does, or that no mass moves with."""
    c = inertia.moment
    skew = np.array([[0, -c[2], c[1]], [c[2], 0, -c[0]], [-c[1], c[0], 0]])
    rigid = np.block([[inertia.mass * np.eye(3), -skew], [skew, inertia.inertia]])
    across = np.hstack([inertia.moment1, inertia.angular])
    whole = np.block([[rigid, across.T], [across, inertia.modal]])
    scale = 1.0 / np.sqrt(np.maximum(np.diag(whole), 1e-300))
    least = np.linalg.eigvalsh(scale[:, None] * whole * scale)[0]
    if least < 1e-10:
        raise ValueError(
            f"the mass matrix of frame and modes is not positive definite (least eigenvalue {least:.1e}): modes that move as "
            "the frame does must be left out (Exudyn: excludeRigidBodyMotion=True)"
        )


def _eigen(stiffness: Floats, mass: Floats) -> tuple[Floats, Floats]:
    """Squares of circular frequencies and mass-normalised shapes."""
    root = np.linalg.inv(np.linalg.cholesky(mass))
    squares, vectors = np.linalg.eigh(root @ stiffness @ root.T)
    return squares, root.T @ vectors


def _frame(label: str, given: Places, places: Floats, moves: Floats, notices: list[str]) -> Frame:
    """A frame that follows the mean of nodes: Σ r × φ = (Σ r·r 1 − r rᵀ) λ about their middle."""
    if isinstance(given, (str, Mapping)):
        raise ValueError(f"frame `{label}`: give nodes, a reduced-order file has no node sets and no keys of interfaces")
    nodes = np.atleast_1d(np.asarray(given))
    if nodes.dtype.kind not in "iu" or nodes.size == 0 or nodes.min() < 0 or nodes.max() >= len(places):
        raise ValueError(f"frame `{label}`: give nodes from 0 to {len(places) - 1}")
    middle = places[nodes].mean(axis=0)
    arms = places[nodes] - middle
    spread = (arms**2).sum() * np.eye(3) - arms.T @ arms
    values = np.linalg.eigvalsh(spread)
    rotations = np.zeros((moves.shape[2], 3))
    if values[0] > 1e-9 * values[-1] and values[-1] > 0.0:
        turning = np.cross(arms[:, None, :], moves[nodes].transpose(0, 2, 1)).sum(axis=0)
        rotations = np.linalg.solve(spread, turning.T).T
    else:
        notices.append(f"frame `{label}`: its nodes lie on a line or in one place, it moves but does not turn with the modes")
    return Frame(label, middle, moves[nodes].mean(axis=0).T, rotations)


def _triangles(given: Any, count: int) -> NDArray[np.int64]:
    """Triangles of the surface; those with six nodes become four."""
    table = np.asarray(given if len(given) else np.zeros((0, 3)), dtype=np.int64)
    if table.ndim != 2 or table.shape[1] not in (3, 6) or (table.size and not (0 <= table.min() and table.max() < count)):
        raise ValueError("`trigList` should be rows of three or six nodes of the file")
    corners = [[0, 1, 2]] if table.shape[1] == 3 else [[0, 3, 5], [3, 1, 4], [5, 4, 2], [3, 4, 5]]
    return np.concatenate([table[:, corner] for corner in corners])
