"""The program ``flexura``, the same as the binary: ``python -m flexura run model.toml``."""

from __future__ import annotations

import signal
import sys

from . import _flexura


def main() -> int:
    """Runs the command line; returns its exit code."""
    # The program ends runs by itself; Python's own handler would raise once it is through.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _flexura.command(["flexura", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
