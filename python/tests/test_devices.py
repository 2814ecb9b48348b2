"""Runs on devices: what is refused, and how."""

import pytest
from places import MODELS

import flexura


def pendulum() -> flexura.Model:
    return flexura.load(MODELS / "pendulum.toml")


def test_a_word_that_is_no_device_is_named() -> None:
    with pytest.raises(Exception, match="choose cuda"):
        flexura.simulate(pendulum(), device="gpu")


def test_checkpoints_and_devices_exclude_each_other(tmp_path) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match="runs on a device make none"):
        flexura.simulate(pendulum(), device="cuda", checkpoint=tmp_path / "c.fxc")


def test_where_no_device_is_the_reason_is_given() -> None:
    try:
        result = flexura.simulate(pendulum(), device="cuda", end=0.1)
    except Exception as error:  # noqa: BLE001  (which kind depends on what is missing)
        assert "no CUDA device" in str(error)
    else:
        assert abs(result["energy.balance"]).max() < 1e-6
