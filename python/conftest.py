"""Fixtures of tests and doctests."""

from __future__ import annotations

import pathlib

import pytest

import flexura

# Its examples need PyTorch: python/tests/torch_bridge.py runs them, where PyTorch is (test_torch.py).
collect_ignore = ["flexura/torch.py", "tests/torch_bridge.py"]
ROOT = pathlib.Path(__file__).resolve().parents[1]


@pytest.fixture(autouse=True)
def _at_root(monkeypatch: pytest.MonkeyPatch) -> None:
    """Doctests and examples name files from the root of the repository."""
    monkeypatch.chdir(ROOT)


@pytest.fixture
def pendulum() -> flexura.Model:
    return flexura.load(ROOT / "models/pendulum.toml")


@pytest.fixture
def arm() -> flexura.Model:
    return flexura.load(ROOT / "models/flexible_arm.toml")
