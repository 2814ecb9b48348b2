"""Exceptions and warnings, with the item and the place they are about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._checkpoint import Checkpoint
    from ._result import Result


@dataclass(frozen=True)
class Diagnostic:
    """One finding about one item of a model."""

    severity: str
    """``"error"`` or ``"warning"``."""
    code: str
    """Short stable code, such as ``"duplicate-name"``."""
    item: str
    """The item in words, such as "body `arm`"."""
    path: str
    """Path of the item, such as ``"body[0].mass"``."""
    message: str
    """The cause."""
    help: str
    """What to do about it."""
    file: str
    """File, or a name for text that came from none."""
    line: int | None = None
    """Line, from one; ``None`` where the finding has no place in the text."""
    column: int | None = None
    """Column, from one."""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}: " if self.line else f"{self.file}: "
        return f"{place}{self.item}: {self.message} (help: {self.help})"


class ModelError(ValueError):
    """A model, part or parameter is wrong; ``diagnostics`` lists every finding.

    >>> import flexura
    >>> try:
    ...     flexura.loads('[[body]]\\nname = "rod"\\nmas = 1.0\\n')
    ... except flexura.ModelError as error:
    ...     first = error.diagnostics[0]
    >>> first.item, first.line, first.column
    ('body `rod`', 3, 1)
    """

    def __init__(self, message: str, diagnostics: list[dict[str, Any]] | None = None) -> None:
        super().__init__(message, diagnostics or [])
        self.diagnostics: list[Diagnostic] = [Diagnostic(**found) for found in diagnostics or []]

    def __str__(self) -> str:
        return str(self.args[0])


class SimulationError(RuntimeError):
    """A computation could not go on; ``result`` holds the rows recorded before, if there are any."""

    def __init__(self, message: str, time: float | None = None, result: Result | None = None) -> None:
        super().__init__(message, time, result)
        self.time = time
        """Time of the failure (s), if it is known."""
        self.result = result

    def __str__(self) -> str:
        return str(self.args[0])


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a run; ``result`` holds the rows recorded before.

    ``simulate(model, restart=interrupted.checkpoint)`` goes on.
    """

    def __init__(self, result: Result, checkpoint: Checkpoint | None = None) -> None:
        super().__init__(result, checkpoint)
        self.result = result
        self.checkpoint = checkpoint
        """Where the run can go on; none for a run of a rollout."""

    def __str__(self) -> str:
        times = self.result.time
        place = f"at t = {times[-1]} s" if times.size else "at the start"
        return f"interrupted {place}; rows so far are in .result"


class ModelWarning(UserWarning):
    """Something suspicious but allowed in a model or a run."""
