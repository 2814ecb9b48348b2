"""Files of other programs: robots (URDF, MJCF, SDF), flexible bodies (SID), FMUs, results."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Mapping, Sequence, Union

from . import _flexura
from ._model import loads

Flexible = Union[Mapping[str, str], str, "os.PathLike[str]"]
"""Links to be made flexible: the part of each by name, or a table of beams and parts (TOML)."""


@dataclass(frozen=True)
class ImportedRobot:
    """A robot as the text of a model file."""

    text: str
    """The model file."""
    notices: list[str]
    """What is left out, renamed, or meant otherwise."""
    folder: str
    """Folder from which the model file names parts."""

    def load(self) -> _flexura.Model:
        """The model."""
        return loads(self.text, file_name=os.path.join(self.folder, "robot.toml"))


def import_robot(
    path: str | os.PathLike[str],
    *,
    floating_base: bool = False,
    leave_out: bool = False,
    flexible: Flexible | None = None,
    folder: str | os.PathLike[str] = "",
) -> ImportedRobot:
    """The model file of a robot (URDF, MJCF or SDF), as ``flexura import`` writes it.

    ``floating_base`` lets the root of a URDF file move; ``leave_out`` goes without what is sound but has no counterpart
    here, and says so in ``notices``; ``flexible`` makes links of parts (``{"forearm": "forearm.toml"}``) or of
    the beams and parts of a table. Parts are named from ``folder``, that of the model file to be.

    >>> import flexura
    >>> robot = flexura.import_robot("models/robots/two_links.urdf")
    >>> robot.load()
    <flexura.Model 'two links': 2 bodies, 2 free speeds, 0 loops>
    """
    parts = [(str(link), str(part)) for link, part in flexible.items()] if isinstance(flexible, Mapping) else []
    tables = [os.fspath(flexible)] if flexible is not None and not isinstance(flexible, Mapping) else []
    text, notices = _flexura.import_robot(
        os.fspath(path), os.fspath(folder), parts, tables, floating_base=floating_base, leave_out=leave_out
    )
    return ImportedRobot(text, notices, os.path.abspath(os.fspath(folder) or "."))


def export_body(model: _flexura.Model, body: str, path: str | os.PathLike[str]) -> list[str]:
    """Writes a flexible body of a model as Standard Input Data (SID), as ``flexura export --body`` does.

    Returns what the format cannot hold. A model takes the file by ``fe = "body.SID_FEM"``.
    """
    return _flexura.export_body(model, body, os.fspath(path))


def export_result(
    result: str | os.PathLike[str],
    output: str | os.PathLike[str],
    *,
    channels: Sequence[str] = ("*",),
    every: int = 1,
    scale: float = 1.0,
) -> None:
    """Writes a result file in another format, as ``flexura export`` does; the ending of ``output`` says which.

    ``.csv``, ``.parquet`` and ``.mat`` hold ``channels``; ``.glb`` (glTF) the motion and ``.pvd`` meshes with stresses, of every
    ``every``-th row, deformations times ``scale``.
    """
    words = ["flexura", "export", os.fspath(result), "--output", os.fspath(output)]
    words += ["--channels", *channels, "--every", str(every), "--scale", repr(float(scale))]
    code = _flexura.command(words)
    if code != 0:
        raise RuntimeError(f"nothing was written (exit code {code}): the message stands in standard error")


def export_fmu(
    model: str | os.PathLike[str],
    output: str | os.PathLike[str],
    *,
    version: int = 3,
    inputs: Sequence[str] = (),
    outputs: Sequence[str] = ("*",),
) -> None:
    """Writes a model file as an FMU (FMI 2 or 3), as ``flexura export model.toml -o model.fmu`` does.

    The library inside comes with the wheel. A package built by hand lacks it: ``FLEXURA_FMU_LIBRARY`` names the one that ``cargo build``
    makes (``libflexura_fmu``).
    """
    words = ["flexura", "export", os.fspath(model), "--output", os.fspath(output), "--fmi", str(version)]
    words += ["--channels", *outputs] + (["--inputs", *inputs] if inputs else [])
    code = _flexura.command(words)
    if code != 0:
        raise RuntimeError(f"no FMU was written (exit code {code}): the message stands in standard error")
