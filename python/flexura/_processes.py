"""Leaving the other processes of ``mpirun -n 4 python script.py`` when the interpreter ends."""

from __future__ import annotations

import atexit
import sys
from types import TracebackType

from . import _flexura

_failed = False
_registered = False


def leave_together() -> None:
    """Sees to the end of this process, once: after an exception the others, which may wait for it, are ended too."""
    global _registered
    if _registered:
        return
    _registered = True
    before = sys.excepthook

    def hook(kind: type[BaseException], value: BaseException, trace: TracebackType | None) -> None:
        global _failed
        _failed = True
        before(kind, value, trace)

    sys.excepthook = hook
    atexit.register(lambda: _flexura.leave_mpi(_failed))
