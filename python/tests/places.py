"""Where the tests find things."""

from __future__ import annotations

import os
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = ROOT / "models"


def binary() -> str | None:
    """The program built by the Rust tests, if it is there."""
    for path in [os.environ.get("FLEXURA_BINARY", ""), str(ROOT / "target/debug/flexura")]:
        if path and os.path.exists(path):
            return path
    return None
