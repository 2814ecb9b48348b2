"""Checkpoints: everything a run needs to go on as if it had never stopped."""

from __future__ import annotations

import hashlib
import os
import zipfile
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._flexura import Model


def fingerprint(model: Model) -> str:
    """What tells one model from another: its text, and whatever was read from other files."""
    return hashlib.sha256(f"{model.text}\n{model._content}".encode()).hexdigest()


@dataclass(frozen=True)
class Checkpoint:
    """A run between two steps, with the rows before; ``simulate(model, restart=checkpoint)`` goes on.

    The rows of a run that went on are those of a run that was never stopped, bit by bit.
    """

    time: float
    """Time reached (s)."""
    words: NDArray[np.uint64]
    """Memory of the integrator and the recorder."""
    rows: NDArray[np.float64]
    """Rows recorded so far: time, then every channel."""
    model: str
    """Fingerprint of the model's text."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a file in one step: a good one is there at every moment."""
        fresh = f"{os.fspath(path)}.new"
        with open(fresh, "wb") as file:
            np.savez(file, time=self.time, words=self.words, rows=self.rows, model=self.model)
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, path)

    @staticmethod
    def load(path: str | os.PathLike[str]) -> Checkpoint:
        """Reads a file that :meth:`save` wrote."""
        try:
            with np.load(path, allow_pickle=False) as file:
                return Checkpoint(float(file["time"]), file["words"], file["rows"], str(file["model"]))
        except (ValueError, KeyError, EOFError, TypeError, AttributeError, zipfile.BadZipFile) as fault:
            raise ValueError(f"{os.fspath(path)} is no checkpoint: {fault}") from None

    def parts_for(self, model: Model) -> tuple[float, Any, Any]:
        """What the engine needs to go on with ``model``."""
        if self.model != fingerprint(model):
            raise ValueError("the checkpoint is of another model: bring the model back, or run from the start")
        return self.time, np.asarray(self.words, dtype=np.uint64), np.ascontiguousarray(self.rows)
