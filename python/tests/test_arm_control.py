"""The example of control co-design does what it says."""

import sys

import pytest

from places import ROOT

pytest.importorskip("scipy")
sys.path.insert(0, str(ROOT / "python/examples"))


def test_shaping_and_feedback_leave_no_vibration() -> None:
    import arm_control

    left = arm_control.main()
    assert left["shaped"] < 0.01 * left["in one go"]
    assert left["regulated"] < 0.01 * left["in one go"]
