"""Binary files of Nastran: without their reader the package to install is named; with it (``scripts/nastran_binary.py``) they are bodies."""

from __future__ import annotations

import pathlib
import sys

import pytest

import flexura


def test_the_package_to_install_is_named(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyNastran", None)
    for name in ("part.op2", "part.op4"):
        with pytest.raises(ImportError, match="pip install pyNastran; punch files and OUTPUT4 as text need none"):
            flexura.import_nastran(tmp_path / name, {1: [0, 0, 0]}, {"root": 1})
    with pytest.raises(ValueError, match="end in .op2 or .op4"):
        flexura.import_nastran(tmp_path / "part.pch", {1: [0, 0, 0]}, {"root": 1})
    with pytest.raises(ValueError, match="known are SI and mm-t-s"):
        flexura.import_nastran(tmp_path / "part.op2", {}, {}, units="inch")


def test_rows_are_sorted_and_checked() -> None:
    from flexura import _nastran

    places = {5: [0, 0, 0], 2: [1, 0, 0], 9: [0, 0, 0]}
    rows = [(5, 3), (2, 1), (9, 0), (5, 1), (2, 6)]
    order, numbers, digits = _nastran._order(rows, places)
    assert [rows[k] for k in order] == sorted(rows) and numbers == [2, 5, 9] and digits == ["16", "13", "0"]
    with pytest.raises(ValueError, match="name a freedom twice"):
        _nastran._order([(5, 1), (5, 1)], places)
    with pytest.raises(ValueError, match="node 7, freedom 1"):
        _nastran._order([(7, 1)], places)
    scale = _nastran._scale([1, 5, 0], "mm-t-s")
    # N/mm becomes 1000 N/m, N mm thousandths of N m.
    assert abs(scale[0] ** 2 - 1e3) < 1e-9 and abs(scale[1] ** 2 - 1e-3) < 1e-15
