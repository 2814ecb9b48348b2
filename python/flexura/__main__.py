"""The program ``flexura``, the same as the binary: ``python -m flexura run model.toml``."""

from __future__ import annotations

import sys

from . import _flexura


def main() -> int:
    """Runs the command line; returns its exit code."""
    return _flexura.command(["flexura", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
