"""Results: one array of rows, channels as views of it."""

from __future__ import annotations

import difflib
import fnmatch
import os
import tempfile
from typing import TYPE_CHECKING, Any, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from . import _flexura, _stress
from ._stress import BodyMesh, Fatigue, Stress
from ._view import Page

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure

Family = tuple[str, str, list[tuple[str, str]]]


class Result(Mapping[str, "NDArray[np.float64]"]):
    """Channels over time, from a run or a result file.

    ``result["hinge.angle"]`` is a view of one column, no copy. A result is a read-only
    mapping from channel names to arrays, ``time`` first; it can be pickled.

    >>> import flexura
    >>> result = flexura.simulate(flexura.load("models/pendulum.toml"), end=1.0)
    >>> angle = result["hinge.angle"]
    >>> angle.shape, result.unit("hinge.angle"), angle.base is not None
    ((101,), 'rad', True)
    """

    def __init__(self, parts: dict[str, Any]) -> None:
        self._parts = parts
        self.data: NDArray[np.float64] = parts["data"]
        """All rows: time, then every channel in the order of ``names``."""
        self.data.flags.writeable = False
        self.families: list[Family] = parts["families"]
        """(name, description, [(channel, unit), ..]) of every group of channels, in column order."""
        self.metadata: dict[str, str] = parts["metadata"]
        """Texts of the result file: name of the model, its text, the picture and the verdicts for viewers."""
        self.complete: bool = parts["complete"]
        """Whether the run came to its end."""
        self.outcome: dict[str, Any] = parts.get("outcome") or {}
        """How the run ended: ``end_time`` (s), ``steps``, ``events``, ``stopped_by``, ``warnings``, ``modes`` (body, family,
        number of modes, share of the deflection they lack or ``None``, words), ``verdicts`` (modes that do not suffice,
        accelerations that the steps do not follow), …"""
        pairs: list[tuple[str, str]] = [("time", "s")] + [channel for family in self.families for channel in family[2]]
        self.names: list[str] = [name for name, _ in pairs]
        """Names of all channels, ``time`` first."""
        self._units: dict[str, str] = dict(pairs)
        self._columns = {name: column for column, name in enumerate(self.names)}

    def __reduce__(self) -> tuple[type[Result], tuple[dict[str, Any]]]:
        return Result, (self._parts,)

    def __repr__(self) -> str:
        name = self.metadata.get("model", "")
        end = f"t = {self.time[-1]:g} s" if self.data.shape[0] else "no time"
        state = "" if self.complete else ", not complete"
        return f"<flexura.Result '{name}': {self.data.shape[0]} rows to {end}, {len(self.names) - 1} channels{state}>"

    @property
    def time(self) -> NDArray[np.float64]:
        """Time of every row (s)."""
        return self.data[:, 0]

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        column = self._columns.get(name)
        if column is None:
            near = difflib.get_close_matches(str(name), self.names, 1)
            hint = f"; did you mean '{near[0]}'?" if near else ""
            raise KeyError(f"no channel '{name}'{hint}")
        return self.data[:, column]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def unit(self, name: str) -> str:
        """Unit of a channel."""
        self[name]
        return self._units[name]

    def select(self, *patterns: str) -> list[str]:
        """Names that match any pattern with ``*`` and ``?``, in column order."""
        found = [name for name in self.names if any(fnmatch.fnmatchcase(name, p) for p in patterns)]
        if not found:
            raise KeyError(f"no channel matches {', '.join(map(repr, patterns))}")
        return found

    def family(self, name: str) -> NDArray[np.float64]:
        """All channels of a family (``"energy"``, ``"joint"``, …) as one view, a column each."""
        first = 1
        for own, _, channels in self.families:
            if own == name:
                return self.data[:, first : first + len(channels)]
            first += len(channels)
        raise KeyError(f"no family '{name}': {', '.join(family[0] for family in self.families)}")

    def to_pandas(self) -> pandas.DataFrame:
        """A data frame over time; shares memory where pandas allows it."""
        import pandas

        index = pandas.Index(self.time, name="time")
        table: pandas.DataFrame = pandas.DataFrame(self.data[:, 1:], index=index, columns=self.names[1:], copy=False)
        return table

    def plot(self, *patterns: str, title: str | None = None) -> Figure:
        """Draws channels over time with matplotlib, one axis per unit; returns the figure."""
        from ._plot import plot

        return plot(self, patterns, title)

    def stress(
        self,
        body: str,
        *,
        nodes: Sequence[int | str] | None = None,
        sets: Sequence[str] | None = None,
        layer: str | None = None,
    ) -> Stress:
        """Stresses of a flexible body over time: at all nodes, at ``nodes`` (numbers or names) and ``sets``, or in one ``layer``
        (``solid``, ``top``, ``bottom``, ``middle``, ``fibre``).

        >>> import flexura
        >>> result = flexura.simulate(flexura.load("models/panel_swing.toml"), end=0.2)
        >>> stress = result.stress("panel", layer="top")
        >>> stress.values.shape == (len(result.time), len(stress.layers), 6)
        True
        >>> place, most, when = stress.worst()
        >>> bool(most == stress.von_mises.max()) and 0.0 <= when <= 0.2
        True
        """
        return _stress.stress(self, body, nodes, sets, layer)

    def displacements(self, body: str) -> NDArray[np.float64]:
        """Displacements of the nodes of :meth:`mesh` by the deformation, in the body's axes (m): (times, nodes, 3)."""
        rows = _stress.rows_of(self, body)
        eta = _stress.modal_coordinates(self, body, rows.modes)
        moved: NDArray[np.float64] = np.einsum("tm,mnk->tnk", eta, rows.displacements)
        return moved

    def mesh(self, body: str) -> BodyMesh:
        """Nodes, surface triangles and beams of a flexible body, undeformed."""
        return _stress.rows_of(self, body).mesh

    def section_forces(self, body: str) -> NDArray[np.float64]:
        """N, Qy, Qz (N), T, My, Mz (N m) of every line of :meth:`mesh` at both ends: (times, lines, 2, 6)."""
        rows = _stress.rows_of(self, body)
        eta = _stress.modal_coordinates(self, body, rows.modes)
        forces: NDArray[np.float64] = np.einsum("tm,lekm->tlek", eta, rows.section_forces)
        return forces

    def fatigue(
        self,
        body: str,
        curve: str | os.PathLike[str],
        *,
        nodes: Sequence[int | str] | None = None,
        sets: Sequence[str] | None = None,
        layer: str | None = None,
        factor: float = 1.0,
        equivalent: str | None = None,
    ) -> Fatigue:
        """Damage of a flexible body by the cycles of the run and the S-N curve in a file, as ``flexura fatigue`` computes it."""
        return _stress.fatigue(self.stress(body, nodes=nodes, sets=sets, layer=layer), curve, factor, equivalent)

    def save_vtk(self, path: str | os.PathLike[str], *, every: int = 1, scale: float = 1.0) -> None:
        """Writes the moving, deformed meshes with their stresses for ParaView: a ``.pvd`` file and a folder of ``.vtu`` files."""
        name = os.fspath(path)
        if not name.lower().endswith(".pvd"):
            raise ValueError(f"end the name with .pvd: {name}")
        with tempfile.TemporaryDirectory(prefix="flexura-") as folder:
            file = os.path.join(folder, "result.fxr")
            self.save(file)
            words = ["flexura", "export", file, "--output", name, "--every", str(every), "--scale", str(scale)]
            if _flexura.command(words) != 0:
                raise OSError(f"cannot write {name}: the reason stands in the terminal")

    def save(self, path: str | os.PathLike[str], *, overwrite: bool = True) -> None:
        """Writes a result file (.fxr), as ``flexura run`` does."""
        parts = (self.data, self.families, self.metadata)
        _flexura.write_result(os.fspath(path), *parts, overwrite, self.complete)

    def view(self, path: str | os.PathLike[str] | None = None, *, budget: float = 50.0) -> Page:
        """The run in three dimensions as one self-contained page of at most ``budget`` MB.

        In a notebook the page shows itself; with ``path`` it is saved.
        """
        with tempfile.TemporaryDirectory(prefix="flexura-") as folder:
            file = os.path.join(folder, "result.fxr")
            self.save(file)
            page = Page(_flexura.saved_page(file, int(budget * 1e6)))
        if path is not None:
            page.save(path)
        return page


def open_result(path: str | os.PathLike[str]) -> Result:
    """Reads a result file (.fxr), finished or not: whole rows of an interrupted one are there."""
    return Result(_flexura.open_result(os.fspath(path)))
