"""Runs on devices: what is refused, and how."""

import pytest
from places import MODELS

import flexura


def pendulum() -> flexura.Model:
    return flexura.load(MODELS / "pendulum.toml")


def test_a_word_that_is_no_device_is_named() -> None:
    with pytest.raises(Exception, match="choose cuda"):
        flexura.simulate(pendulum(), device="gpu")


def test_runs_on_devices_go_on_from_checkpoints() -> None:
    kept: list[flexura.Checkpoint] = []
    try:
        whole = flexura.simulate(pendulum(), device="cuda", end=0.2, checkpoint=kept.append, checkpoint_interval=0)
    except Exception as error:  # noqa: BLE001  (which kind depends on what is missing)
        assert "no CUDA device" in str(error)
        return
    rest = flexura.simulate(pendulum(), device="cuda", end=0.2, restart=kept[len(kept) // 2])
    assert (rest["hinge.angle"] == whole["hinge.angle"]).all()
    with pytest.raises(flexura.SimulationError, match="on a device"):
        flexura.simulate(pendulum(), end=0.2, restart=kept[0])


def test_where_no_device_is_the_reason_is_given() -> None:
    try:
        result = flexura.simulate(pendulum(), device="cuda", end=0.1)
    except Exception as error:  # noqa: BLE001  (which kind depends on what is missing)
        assert "no CUDA device" in str(error)
    else:
        assert abs(result["energy.balance"]).max() < 1e-6


def test_rollouts_name_the_device_they_cannot_have() -> None:
    with pytest.raises(flexura.SimulationError, match="choose cuda"):
        flexura.rollout(pendulum(), {"rod.mass": [1.0, 2.0]}, device="gpu", end=0.1)
    kept = flexura.rollout(pendulum(), {"rod.mass": [1.0, -2.0, 2.0]}, device="cuda", end=0.1, errors="keep")
    assert isinstance(kept[1], flexura.ModelError)
    alone = flexura.rollout(pendulum(), {"rod.mass": [1.0, 2.0]}, end=0.1)
    for run, single in zip([kept[0], kept[2]], alone):
        if isinstance(run, Exception):
            assert "no CUDA device" in str(run)
        else:
            assert abs(run["hinge.angle"][-1] - single["hinge.angle"][-1]) < 1e-6
