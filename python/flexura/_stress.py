"""Stresses, displacements and meshes of flexible bodies as arrays, from a result alone.

A result keeps rows that act on the modal coordinates of its bodies (``book/src/result_file.md``); a stress is one matrix product.
"""

from __future__ import annotations

import base64
import difflib
import json
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Sequence

import numpy as np
from numpy.typing import NDArray

from . import _flexura

if TYPE_CHECKING:
    from ._result import Result

Floats = NDArray[np.float64]

_LAYERS = ("solid", "middle", "top", "bottom")


@dataclass(frozen=True)
class BodyMesh:
    """Nodes of a body that a result keeps: of shells, beams and surfaces of solids; undeformed, in the body's frame."""

    numbers: NDArray[np.uint64]
    """Number of every node in its mesh file."""
    positions: Floats
    """Positions (m), a row per node."""
    triangles: NDArray[np.int64]
    """Corners of surface triangles, counted from zero."""
    lines: NDArray[np.int64]
    """Ends of beams, counted from zero."""
    names: dict[str, int] = field(default_factory=dict)
    """Named nodes, counted from zero."""
    sets: dict[str, NDArray[np.int64]] = field(default_factory=dict)
    """Sets of nodes, counted from zero."""

    def find(self, node: int | str) -> int:
        """Place of a node in the arrays, by its number in the mesh file or by its name."""
        if isinstance(node, str) and node in self.names:
            return self.names[node]
        found = np.flatnonzero(self.numbers == int(node)) if str(node).isdigit() else np.array([], int)
        if found.size:
            return int(found[0])
        near = difflib.get_close_matches(str(node), list(self.names), 1)
        hint = f"; did you mean '{near[0]}'?" if near else "; stresses are kept on surfaces, shells and beams"
        raise KeyError(f"no node '{node}'{hint}")


@dataclass(frozen=True)
class Stress:
    """Stresses of a body over time at some places: nodes of solids, layers of shells, fibres of beams."""

    body: str
    """Name of the body."""
    time: Floats
    """Times (s)."""
    nodes: NDArray[np.int64]
    """Node of every place, counted from zero."""
    numbers: NDArray[np.uint64]
    """Number of that node in its mesh file."""
    layers: list[str]
    """``solid``, ``top``, ``bottom``, ``middle``; ``line3.fibre2`` of a beam."""
    positions: Floats
    """Position of the node of every place (m)."""
    rows: Floats
    """Rows of every place: (places, 6, modes), Pa per modal unit."""
    eta: Floats
    """Modal coordinates: (times, modes)."""

    @property
    def values(self) -> Floats:
        """Tensors xx, yy, zz, xy, yz, zx in body axes (Pa): (times, places, 6)."""
        places, _, modes = self.rows.shape
        flat: Floats = self.eta @ self.rows.reshape(places * 6, modes).T
        return flat.reshape(len(self.time), places, 6)

    @property
    def von_mises(self) -> Floats:
        """Von Mises stress (Pa): (times, places)."""
        return von_mises(self.values)

    @property
    def principal(self) -> Floats:
        """Principal stresses (Pa), the largest first: (times, places, 3)."""
        return principal(self.values)

    @property
    def signed_von_mises(self) -> Floats:
        """Von Mises stress with the sign of the principal stress of the largest magnitude (Pa): (times, places)."""
        return signed_von_mises(self.values)

    def peaks(self) -> tuple[Floats, Floats]:
        """Largest von Mises stress of every place (Pa), and when (s)."""
        values = self.von_mises
        when = values.argmax(axis=0)
        return values[when, np.arange(values.shape[1])], self.time[when]

    def worst(self) -> tuple[int, float, float]:
        """Place of the largest von Mises stress, its value (Pa) and its time (s)."""
        most, when = self.peaks()
        place = int(most.argmax())
        return place, float(most[place]), float(when[place])


@dataclass(frozen=True)
class Fatigue:
    """Damage of a body at some places by the cycles of one run."""

    numbers: NDArray[np.uint64]
    """Number of the node of every place in its mesh file."""
    layers: list[str]
    """Layer of every place."""
    damage: Floats
    """Sum of n/N: one is failure."""
    largest_range: Floats
    """Largest range of a counted cycle (Pa)."""
    cycles: Floats
    """Cycles counted."""


def von_mises(stress: Floats) -> Floats:
    """Von Mises stress of tensors xx, yy, zz, xy, yz, zx (last axis).

    >>> import numpy as np
    >>> float(von_mises(np.array([5.0, 0, 0, 0, 0, 0])))
    5.0
    """
    xx, yy, zz, xy, yz, zx = np.moveaxis(np.asarray(stress, float), -1, 0)
    normal = (xx - yy) ** 2 + (yy - zz) ** 2 + (zz - xx) ** 2
    out: Floats = np.sqrt(0.5 * normal + 3.0 * (xy**2 + yz**2 + zx**2))
    return out


def principal(stress: Floats) -> Floats:
    """Principal stresses of tensors xx, yy, zz, xy, yz, zx (last axis), the largest first."""
    xx, yy, zz, xy, yz, zx = np.moveaxis(np.asarray(stress, float), -1, 0)
    tensor = np.stack([np.stack([xx, xy, zx], -1), np.stack([xy, yy, yz], -1), np.stack([zx, yz, zz], -1)], -2)
    out: Floats = np.linalg.eigvalsh(tensor)[..., ::-1]
    return out


def signed_von_mises(stress: Floats) -> Floats:
    """Von Mises stress with the sign of the principal stress of the largest magnitude; in pure shear of the largest shear."""
    stress = np.asarray(stress, float)
    both = principal(stress)
    lead = both[..., 0] + both[..., 2]
    shears = np.concatenate([stress[..., 3:], stress[..., :3]], -1)
    largest = np.take_along_axis(shears, np.abs(shears).argmax(-1)[..., None], -1)[..., 0]
    sign = np.where(np.abs(lead) > 1e-6 * (both[..., 0] - both[..., 2]), lead, largest)
    return np.copysign(von_mises(stress), sign)


def rainflow(series: Sequence[float] | Floats) -> Floats:
    """Cycles of a history after ASTM E1049-85: rows of range, mean and count (one half or one).

    >>> cycles = rainflow([-2, 1, -3, 5, -1, 3, -4, 4, -2])
    >>> {float(r): float(cycles[cycles[:, 0] == r, 2].sum()) for r in sorted(set(cycles[:, 0]))}
    {3.0: 0.5, 4.0: 1.5, 6.0: 0.5, 8.0: 1.0, 9.0: 0.5}
    """
    found = _flexura.rainflow(np.ascontiguousarray(series, dtype=float))
    return np.array(found, float).reshape(-1, 3)


class _Rows:
    """The rows of one body."""

    def __init__(self, entry: dict[str, Any]) -> None:
        def numbers(key: str, kind: str) -> NDArray[Any]:
            return np.frombuffer(base64.b64decode(entry[key]), kind)

        self.modes = int(entry["modes"])
        sets = {name: np.frombuffer(base64.b64decode(text), "<u4").astype(np.int64) for name, text in entry["sets"]}
        self.mesh = BodyMesh(
            numbers("numbers", "<u8").astype(np.uint64),
            numbers("positions", "<f8").reshape(-1, 3),
            numbers("triangles", "<u4").astype(np.int64).reshape(-1, 3),
            numbers("lines", "<u4").astype(np.int64).reshape(-1, 2),
            {name: int(node) for name, node in entry["names"]},
            sets,
        )
        self.displacements = numbers("displacements", "<f8").reshape(self.modes, -1, 3)
        self.nodes = numbers("place_nodes", "<u4").astype(np.int64)
        sides, layers = numbers("place_sides", "u1"), numbers("place_layers", "u1")
        self.layers = [_LAYERS[layer] + (f".{side + 1}" if side else "") for layer, side in zip(layers, sides)]
        self.stress = numbers("stress", "<f8").reshape(-1, 6, self.modes)
        self.section_forces = numbers("section_forces", "<f8").reshape(-1, 2, 6, self.modes)
        self.sections = [entry["sections"][index] for index in numbers("section_of", "<u4")]
        self.notes: list[str] = entry["notes"]

    def fibres(self) -> tuple[list[int], list[str], list[Floats]]:
        """Places and rows of the fibres of beams: sigma = N/A + My z/Iy - Mz y/Iz, tau = T r/J."""
        nodes: list[int] = []
        layers: list[str] = []
        rows: list[Floats] = []
        for line, section in enumerate(self.sections):
            along, axis_y, axis_z = (np.array(axis, float) for axis in section["axes"])
            (inertia_y, inertia_z), area, torsion = section["inertia"], section["area"], section["torsion"]
            for end in range(2):
                forces = self.section_forces[line, end]
                for fibre, (y, z, radius) in enumerate(section["fibres"]):
                    normal = forces[0] / area if area else 0.0 * forces[0]
                    normal = normal + (forces[4] * z / inertia_y if inertia_y else 0.0)
                    normal = normal - (forces[5] * y / inertia_z if inertia_z else 0.0)
                    distance = float(np.hypot(y, z))
                    shear = forces[3] * radius / torsion if torsion else 0.0 * forces[3]
                    turning = (y * axis_z - z * axis_y) / distance if distance else np.zeros(3)
                    both = np.outer(along, turning) + np.outer(turning, along)
                    tensor = np.multiply.outer(np.outer(along, along), normal) + np.multiply.outer(both, shear)
                    rows.append(np.stack([tensor[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))]))
                    nodes.append(int(self.mesh.lines[line, end]))
                    layers.append(f"line{line + 1}.fibre{fibre + 1}")
        return nodes, layers, rows


def rows_of(result: Result, body: str) -> _Rows:
    """The rows of a body, or why there are none."""
    text = result.metadata.get("stress")
    if text is None:
        raise ValueError(
            "the result holds no stresses: put `stress = true` under [output] of the model and run it again "
            "(finite element parts and beams have stresses; rigid bodies, and modes given by hand, have none)"
        )
    bodies = json.loads(text)["bodies"]
    found = next((entry for entry in bodies if entry["name"] == body), None)
    if found is None:
        raise KeyError(f"no stresses of a body '{body}'; bodies with stresses: {', '.join(entry['name'] for entry in bodies)}")
    return _Rows(found)


def modal_coordinates(result: Result, body: str, modes: int) -> Floats:
    """Modal coordinates of a body: (times, modes)."""
    return np.stack([result[f"{body}.eta.{mode + 1}"] for mode in range(modes)], axis=1)


def stress(
    result: Result,
    body: str,
    nodes: Sequence[int | str] | None,
    sets: Sequence[str] | None,
    layer: str | None,
) -> Stress:
    """See :meth:`flexura.Result.stress`."""
    rows = rows_of(result, body)
    fibre_nodes, fibre_layers, fibre_rows = rows.fibres()
    all_nodes = np.concatenate([rows.nodes, np.array(fibre_nodes, dtype=np.int64)])
    layers = rows.layers + fibre_layers
    keep = np.ones(len(layers), bool)
    if nodes is not None or sets is not None:
        wanted = [rows.mesh.find(node) for node in nodes or ()]
        for name in sets or ():
            if name not in rows.mesh.sets:
                raise KeyError(f"body '{body}' has no set '{name}'; its sets: {', '.join(rows.mesh.sets) or 'none'}")
            wanted.extend(int(node) for node in rows.mesh.sets[name])
        keep &= np.isin(all_nodes, wanted)
    if layer is not None:
        known = (*_LAYERS, "fibre")
        if layer not in known:
            raise ValueError(f"no layer '{layer}': {', '.join(known)}")
        keep &= np.array([word.split(".")[0] == layer or (layer == "fibre" and ".fibre" in word) for word in layers], bool)
    places = np.flatnonzero(keep)
    table = np.concatenate([rows.stress, np.array(fibre_rows).reshape(-1, 6, rows.modes)])[places]
    chosen = all_nodes[places]
    return Stress(
        body=body,
        time=result.time,
        nodes=chosen,
        numbers=rows.mesh.numbers[chosen],
        layers=[layers[place] for place in places],
        positions=rows.mesh.positions[chosen],
        rows=table,
        eta=modal_coordinates(result, body, rows.modes),
    )


def fatigue(
    found: Stress,
    curve: str | os.PathLike[str],
    factor: float,
    equivalent: str | None,
) -> Fatigue:
    """See :meth:`flexura.Result.fatigue`."""
    history = np.ascontiguousarray(np.swapaxes(found.values, 0, 1))
    damage, ranges, cycles = _flexura.fatigue_damage(history, os.fspath(curve), factor, equivalent)
    return Fatigue(found.numbers, found.layers, np.array(damage), np.array(ranges), np.array(cycles))
