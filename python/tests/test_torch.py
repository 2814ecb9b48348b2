"""Runs inside PyTorch, by a Python that has it: ``FLEXURA_TORCH_PYTHON`` names one (``scripts/test`` looks for it); without the variable
there is no test in this file."""

from __future__ import annotations

import os
import subprocess

import pytest

from places import ROOT

INTERPRETER = os.environ.get("FLEXURA_TORCH_PYTHON")

if INTERPRETER:

    def test_the_bridge_to_pytorch(capsys: pytest.CaptureFixture[str]) -> None:
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
        program = [str(INTERPRETER), str(ROOT / "python/tests/torch_bridge.py")]
        found = subprocess.run(program, env=environment, cwd=ROOT, capture_output=True, text=True)
        assert found.returncode == 0, found.stdout + found.stderr
        with capsys.disabled():
            print(f"\n{found.stdout.strip()}")
