"""Comparisons that install packages of their own: collected where ``FLEXURA_OTHER_PROGRAMS=1`` asks for them, else by nobody.

    FLEXURA_OTHER_PROGRAMS=1 pytest python/tests/test_other_programs.py
"""

from __future__ import annotations

import functools
import os
import re
import subprocess
import sys

import pytest

from places import ROOT, binary

if os.environ.get("FLEXURA_OTHER_PROGRAMS") == "1":

    @functools.cache
    def said(script: str, *words: str) -> str:
        """What a script prints; it must end well."""
        done = subprocess.run([sys.executable, ROOT / "scripts" / script, *words], capture_output=True, text=True)
        assert done.returncode == 0, f"{script}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def test_public_robots_have_the_accelerations_of_pinocchio() -> None:
        program = binary()
        assert program is not None, "the program is not built: cargo build"
        told = said("public_robots.py", program)
        counts = re.search(r"^(\d+) robots agree to 1e-10, (\d+) do not, (\d+) were not compared$", told, re.MULTILINE)
        assert counts is not None, told
        # Of the 69 files of the package, whose version the script names: book/src/exchange/robots.md.
        found = [int(count) for count in counts.groups()]
        assert found[:2] == [59, 0] and sum(found) == 69, told

    @pytest.mark.parametrize("file", ["part.op2", "binary.op4", "text.op4", "small.op2"])
    def test_binary_files_of_nastran_are_bodies(file: str) -> None:
        assert re.search(rf"^{re.escape(file)} +\d+\.\d+ kg", said("nastran_binary.py"), re.MULTILINE)
