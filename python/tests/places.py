"""Where the tests find things."""

from __future__ import annotations

import os
import pathlib
from typing import NoReturn

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = ROOT / "models"


def binary() -> str | None:
    """The program built by the Rust tests; one that is named must be there."""
    named = os.environ.get("FLEXURA_BINARY")
    built = named or str(ROOT / "target/debug/flexura")
    if named and not os.path.exists(named):
        raise FileNotFoundError(f"FLEXURA_BINARY is {named}, which is not there: cargo build")
    return built if os.path.exists(built) else None


def without(reason: str) -> NoReturn:
    """Skips a test that lacks something; with CI=true that is a failure."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"{reason} (with CI=true a skipped test is a failure)")
    pytest.skip(reason)
