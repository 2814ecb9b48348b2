"""A progress bar of one line, drawn on terminals only."""

from __future__ import annotations

import math
import sys
import time
from typing import Callable, TextIO

_WIDTH = 32


class Bar:
    """Draws itself at every call with the done fraction and the simulated time (s)."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._started = time.monotonic()
        self._drawn = False

    def __call__(self, fraction: float, simulated: float) -> None:
        fraction = min(max(fraction, 0.0), 1.0)
        full = round(fraction * _WIDTH)
        words = "" if math.isnan(simulated) else f"  t = {simulated:.4g} s"
        passed = time.monotonic() - self._started
        left = f"  {passed * (1 - fraction) / fraction:.0f} s left" if fraction > 0 else ""
        self._stream.write(f"\r{'█' * full}{'░' * (_WIDTH - full)} {100 * fraction:3.0f} %{words}{left}\x1b[K")
        self._stream.flush()
        self._drawn = True

    def close(self) -> None:
        """Takes the bar away."""
        if self._drawn:
            self._stream.write("\r\x1b[K")
            self._stream.flush()


def bar(wanted: bool | None) -> Bar | None:
    """A bar where it is wanted; by default where standard error is a terminal."""
    if wanted is None:
        wanted = sys.stderr is not None and sys.stderr.isatty()
    return Bar(sys.stderr) if wanted else None


Progress = Callable[[float, float], object]
