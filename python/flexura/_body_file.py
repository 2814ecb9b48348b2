"""Reduced-body files (``.fxb``) from Python: sections as bytes, and those parts that other programs' formats know.

The layout is that of ``crates/flexura-fem/REDUCED_BODY.md``; nothing is believed before magic, version, length and digest agree.
"""

from __future__ import annotations

import hashlib
import os
import struct
from dataclasses import dataclass, field
from typing import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

_MAGIC = b"\x8fFLEXURA-BODY\r\n\n"
_VERSION = 1
_NAME, _SLOPES, _TRANSLATIONS = 1, 8, 16
# Where xx, xy, xz, yy, yz, zz of a symmetric matrix stand.
_ROWS, _COLUMNS = [0, 0, 0, 1, 1, 2], [0, 1, 2, 1, 2, 2]


@dataclass
class Frame:
    """A named place of a body: how the modes move and turn it."""

    name: str
    position: Floats
    translations: Floats
    """n × 3 (m per unit)."""
    rotations: Floats
    """n × 3 (rad per unit)."""


@dataclass
class Inertia:
    """Sums over the mass of a body with n modes (theory/inertia, IN.7), without displacements of second order."""

    mass: float
    moment: Floats
    """c0 (3)."""
    moment1: Floats
    """c1 (n × 3)."""
    inertia: Floats
    """I0 (3 × 3)."""
    inertia1: Floats
    """I1 (n × 3 × 3)."""
    inertia2: Floats
    """I2 (n × n × 3 × 3)."""
    angular: Floats
    """F0 (n × 3)."""
    angular1: Floats
    """F1 (n × n × 3)."""
    modal: Floats
    """Modal mass (n × n)."""


@dataclass
class BodyFile:
    """What formats of other programs know of a reduced body."""

    name: str
    stiffness: Floats
    inertia: Inertia
    frames: list[Frame]
    points: Floats
    """Points of the picture (m)."""
    displacements: Floats
    """n × points × 3 (m per unit)."""
    triangles: Counts
    frequencies: Floats
    effective: Floats
    unknowns: int
    damped: bool = False
    curved: bool = False
    """Whether displacements of second order are in the sums."""
    notices: list[str] = field(default_factory=list)


class _Output:
    def __init__(self) -> None:
        self.content = bytearray()

    def count(self, value: int) -> None:
        self.content += struct.pack("<Q", value)

    def reals(self, values: object) -> None:
        self.content += np.ascontiguousarray(values, dtype="<f8").tobytes()

    def list(self, values: object) -> None:
        table = np.asarray(values, dtype=float).ravel()
        self.count(table.size)
        self.reals(table)

    def vectors(self, values: object) -> None:
        table = np.asarray(values, dtype=float).reshape(-1, 3)
        self.count(len(table))
        self.reals(table)

    def places(self, values: object, width: int) -> None:
        table = np.asarray(values, dtype="<u4").reshape(-1, width)
        self.count(len(table))
        self.content += table.tobytes()

    def text(self, value: str) -> None:
        self.count(len(value.encode()))
        self.content += value.encode()


class _Input:
    def __init__(self, content: bytes, section: str) -> None:
        self.content, self.at, self.section = content, 0, section

    def take(self, size: int) -> bytes:
        taken = self.content[self.at : self.at + size]
        if len(taken) != size:
            raise ValueError(f"section `{self.section}` of the body ends early")
        self.at += size
        return taken

    def byte(self) -> int:
        return self.take(1)[0]

    def count(self) -> int:
        return int(struct.unpack("<Q", self.take(8))[0])

    def reals(self, count: int) -> Floats:
        return np.frombuffer(self.take(8 * count), dtype="<f8").astype(float)

    def list(self) -> Floats:
        return self.reals(self.count())

    def vectors(self) -> Floats:
        return self.reals(3 * self.count()).reshape(-1, 3)

    def places(self, width: int) -> Counts:
        count = self.count()
        return np.frombuffer(self.take(4 * width * count), dtype="<u4").astype(np.int64).reshape(-1, width)

    def text(self) -> str:
        return self.take(self.count()).decode()


def read_sections(path: str | os.PathLike[str]) -> dict[str, bytes]:
    """The sections of a reduced-body file, by name."""
    with open(path, "rb") as file:
        content = file.read()
    if not content.startswith(_MAGIC):
        raise ValueError(f"{os.fspath(path)} is no reduced-body file: write one with `flexura reduce part.toml`")
    version, count = struct.unpack_from("<II", content, 16)
    if version != _VERSION:
        raise ValueError(f"{os.fspath(path)} has version {version}, this package reads version {_VERSION}")
    if hashlib.sha256(content[:-32]).digest() != content[-32:]:
        raise ValueError(f"{os.fspath(path)} is damaged (its digest does not fit): reduce the part again")
    table = [struct.unpack_from("<8sQQ", content, 24 + 24 * k) for k in range(count)]
    return {name.decode().rstrip(): content[offset : offset + length] for name, offset, length in table}


def write_sections(path: str | os.PathLike[str], sections: Sequence[tuple[str, bytes]]) -> None:
    """Writes a reduced-body file of its sections, whole or not at all."""
    content = bytearray(_MAGIC + struct.pack("<II", _VERSION, len(sections)))
    offset = len(content) + 24 * len(sections)
    for name, section in sections:
        content += struct.pack("<8sQQ", name.encode().ljust(8), offset, len(section))
        offset += len(section)
    for _, section in sections:
        content += section
    content += hashlib.sha256(content).digest()
    fresh = f"{os.fspath(path)}.{os.getpid()}.part"
    try:
        with open(fresh, "wb") as file:
            file.write(content)
        os.replace(fresh, path)
    finally:
        if os.path.exists(fresh):
            os.remove(fresh)


def read_body(path: str | os.PathLike[str]) -> BodyFile:
    """A reduced body whose mass is kept as sums."""
    sections = read_sections(path)
    if "sums" not in sections:
        raise ValueError(f"{os.fspath(path)} keeps its mass as nodes: reduce the part without `mass_nodes`")
    found = {name: _Input(content, name) for name, content in sections.items()}
    info = found["info"]
    name, _ = info.text(), info.text()
    modal = found["modal"]
    n, _ = modal.count(), modal.count()
    stiffness, _ = modal.list().reshape(n, n), modal.list()
    damped = modal.byte() != 0
    report = found["report"]
    unknowns, frequencies = report.count(), report.list()
    effective = report.reals(6 * report.count()).reshape(-1, 6)
    picture = found["picture"]
    points, _ = picture.vectors(), picture.places(2)
    triangles, displacements = picture.places(3), picture.vectors().reshape(n, len(points), 3)
    inertia, curved = _read_inertia(found["sums"], n)
    frames = [frame for frame in _read_frames(found["nodes"], n) if frame.name]
    return BodyFile(
        name, stiffness, inertia, frames, points, displacements, triangles, frequencies, effective, unknowns, damped, curved
    )


def _symmetric(six: Floats) -> Floats:
    """Symmetric matrices of xx, xy, xz, yy, yz, zz."""
    whole = np.zeros((*six.shape[:-1], 3, 3))
    whole[..., _ROWS, _COLUMNS] = six
    whole[..., _COLUMNS, _ROWS] = six
    return whole


def _read_inertia(sums: _Input, n: int) -> tuple[Inertia, bool]:
    mass, moment = float(sums.reals(1)[0]), sums.reals(3)
    moment1, moment2 = sums.vectors(), sums.vectors()
    inertia = _symmetric(sums.reals(6))
    inertia1, inertia2 = (_symmetric(sums.list().reshape(-1, 6)) for _ in range(2))
    angular, angular1 = sums.vectors(), sums.vectors()
    modal = sums.list().reshape(n, n)
    square = (n, n)
    found = Inertia(
        mass, moment, moment1, inertia, inertia1, inertia2.reshape(*square, 3, 3), angular, angular1.reshape(*square, 3), modal
    )
    return found, bool(moment2.any())


def _read_frames(nodes: _Input, n: int) -> list[Frame]:
    frames = []
    for _ in range(nodes.count()):
        flags = nodes.byte()
        nodes.reals(1)
        position = nodes.reals(3)
        name = nodes.text() if flags & _NAME else ""
        nodes.reals((9 if flags & 2 else 0) + (3 if flags & 4 else 0))
        rotations = nodes.reals(3 * n) if flags & _SLOPES else np.zeros(3 * n)
        translations = nodes.reals(3 * n) if flags & _TRANSLATIONS else np.zeros(3 * n)
        if flags & 32:
            nodes.reals(3 * n * (n + 1) // 2)
        if flags & 64:
            nodes.vectors()
        frames.append(Frame(name, position, translations.reshape(n, 3), rotations.reshape(n, 3)))
    return frames


def write_body(path: str | os.PathLike[str], body: BodyFile) -> None:
    """Writes a body without stresses and without displacements of second order."""
    n, own = len(body.stiffness), body.inertia
    info, modal, nodes, report, picture, stress, sums = (_Output() for _ in range(7))
    info.text(body.name)
    info.text("flexura from Python")
    info.count(len(body.notices))
    for notice in body.notices:
        info.text(notice)
    modal.count(n)
    modal.count(0)
    modal.list(body.stiffness)
    modal.list(own.modal)
    modal.content += b"\0"
    modal.list([])
    nodes.count(len(body.frames))
    for frame in body.frames:
        nodes.content += bytes([_NAME | _SLOPES | _TRANSLATIONS])
        nodes.reals([0.0])
        nodes.reals(frame.position)
        nodes.text(frame.name)
        nodes.reals(frame.rotations)
        nodes.reals(frame.translations)
    report.count(body.unknowns)
    report.list(body.frequencies)
    report.count(len(body.effective))
    report.reals(body.effective)
    report.reals([own.mass] * 3 + np.diag(own.inertia).tolist())
    report.list([])
    picture.vectors(body.points)
    picture.places([], 2)
    picture.places(body.triangles, 3)
    picture.vectors(body.displacements)
    stress.count(0)
    stress.list([])
    stress.list([])
    sums.reals([own.mass])
    sums.reals(own.moment)
    sums.vectors(own.moment1)
    sums.vectors([])
    sums.reals(own.inertia[_ROWS, _COLUMNS])
    sums.list(own.inertia1[:, _ROWS, _COLUMNS])
    sums.list(own.inertia2[:, :, _ROWS, _COLUMNS])
    sums.vectors(own.angular)
    sums.vectors(own.angular1)
    sums.list(own.modal)
    names = ("info", "modal", "nodes", "report", "picture", "stress", "sums")
    outputs = (info, modal, nodes, report, picture, stress, sums)
    write_sections(path, [(name, bytes(output.content)) for name, output in zip(names, outputs)])
