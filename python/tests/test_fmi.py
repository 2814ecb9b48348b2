"""FMUs in FMPy: valid descriptions, the same motion as ``flexura run``, inputs, states saved and restored."""

from __future__ import annotations

import importlib
import pathlib
import subprocess
from typing import Any

import numpy as np
import pytest

import flexura

from places import MODELS, binary, without

fmpy = importlib.import_module("fmpy")  # of python/requirements.txt: its absence is a failure


def exported(model: pathlib.Path, output: pathlib.Path, *options: str) -> str:
    program = binary()
    if program is None:
        without("the program is not built: cargo build")
    subprocess.run([program, "export", model, "-o", output, *options], check=True, capture_output=True)
    return str(output)


@pytest.mark.parametrize("version", ["2", "3"])
def test_a_tree_moves_as_in_flexura(tmp_path: pathlib.Path, version: str) -> None:
    names = ["elbow.angle", "bend.angle", "turn.angle"]
    fmu = exported(MODELS / "robot_arm.toml", tmp_path / "arm.fmu", "--fmi", version, "-c", *names)
    from fmpy.validation import validate_fmu

    assert validate_fmu(fmu) == []
    known = flexura.simulate(flexura.load(MODELS / "robot_arm.toml"), end=1.5)
    for kind in ("CoSimulation", "ModelExchange"):
        found = fmpy.simulate_fmu(
            fmu, fmi_type=kind, stop_time=1.5, output_interval=0.01, output=names, solver="CVode", relative_tolerance=1e-10
        )
        # Events of the importer add rows: the last one of every instant of ours is compared.
        last = {round(float(time), 6): row for row, time in enumerate(found["time"])}
        rows = [last[round(float(time), 6)] for time in known.time]
        for name in names:
            assert np.abs(found[name][rows] - known[name]).max() < 1e-8, (kind, name)


@pytest.mark.filterwarnings("ignore::flexura.ModelWarning")
def test_loops_controllers_and_parts_are_cosimulated(tmp_path: pathlib.Path) -> None:
    for name, channel in [("four_bar", "*.angle"), ("controlled_arm", "*.angle"), ("panel_swing", "*.position.z")]:
        model = flexura.load(MODELS / f"{name}.toml")
        fmu = exported(MODELS / f"{name}.toml", tmp_path / f"{name}.fmu", "-c", channel)
        description = fmpy.read_model_description(fmu)
        names = [variable.name for variable in description.modelVariables if variable.causality == "output"]
        step = float(description.defaultExperiment.stepSize)
        end = 20 * step
        known = flexura.simulate(model, end=end)
        found = fmpy.simulate_fmu(fmu, fmi_type="CoSimulation", stop_time=end, step_size=step, output_interval=step, output=names)
        shared = [channel_name for channel_name in names if channel_name in known.names]
        assert shared, names
        for channel_name in shared:
            difference = np.abs(found[channel_name][:21] - known[channel_name][:21]).max()
            assert difference < 1e-7, (name, channel_name, difference)


def test_the_package_writes_them_too(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = binary()
    if program is None:
        without("the program is not built: cargo build")
    places = [pathlib.Path(program).parent / place / "libflexura_fmu.so" for place in ("", "deps")]
    library = next((place for place in places if place.exists()), None)
    if library is None:
        without("the library for FMUs is not built: cargo build -p flexura-fmu")
    monkeypatch.setenv("FLEXURA_FMU_LIBRARY", str(library))
    flexura.export_fmu(MODELS / "pendulum.toml", tmp_path / "p.fmu", version=2, outputs=["hinge.*"])
    assert fmpy.read_model_description(str(tmp_path / "p.fmu")).fmiVersion == "2.0"
    with pytest.raises(RuntimeError, match="exit code 2"):
        flexura.export_fmu(MODELS / "pendulum.toml", tmp_path / "p.fmu", inputs=["none"])


def test_states_are_saved_and_bad_values_refused(tmp_path: pathlib.Path) -> None:
    fmu = exported(MODELS / "robot_arm.toml", tmp_path / "arm.fmu", "-c", "turn.angle", "--inputs", "turn.effort")
    description = fmpy.read_model_description(fmu)
    at = {variable.name: variable.valueReference for variable in description.modelVariables}
    folder = fmpy.extract(fmu, str(tmp_path / "unzipped"))
    instance = fmpy.instantiate_fmu(folder, description, fmi_type="CoSimulation", debug_logging=False, logger=None)

    def value() -> float:
        return float(instance.getFloat64([at["turn.angle"]])[0])

    def step(time: float) -> Any:
        return instance.doStep(currentCommunicationPoint=time, communicationStepSize=0.1)

    instance.enterInitializationMode(startTime=0.0)
    instance.exitInitializationMode()
    step(0.0)
    state = instance.getFMUState()
    stored = instance.serializeFMUState(state)
    step(0.1)
    free = value()
    instance.setFMUState(instance.deserializeFMUState(stored))
    step(0.1)
    assert value() == free
    instance.setFMUState(state)
    instance.setFloat64([at["turn.effort"]], [1.0])
    step(0.1)
    assert abs(value() - free) > 1e-4
    instance.freeFMUState(state)
    with pytest.raises(Exception):
        instance.setFloat64([at["turn.effort"]], [float("nan")])
    with pytest.raises(Exception):
        step(7.0)
    instance.terminate()
    instance.freeInstance()
