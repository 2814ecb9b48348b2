"""FMUs in FMPy: valid descriptions, the same motion as ``flexura run``, inputs, states saved and restored."""

from __future__ import annotations

import ctypes
import importlib
import pathlib
import re
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import flexura

from places import MODELS, ROOT, binary, without

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


def library() -> str:
    """The library for FMUs, beside the program."""
    program = binary()
    if program is None:
        without("the program is not built: cargo build")
    places = [pathlib.Path(program).parent / place / "libflexura_fmu.so" for place in ("", "deps")]
    found = next((place for place in places if place.exists()), None)
    if found is None:
        without("the library for FMUs is not built: cargo build -p flexura-fmu")
    return str(found)


def fixed(name: str, settings: str, folder: pathlib.Path) -> pathlib.Path:
    """A model of ours with these settings in its section `[simulation]`, in a folder of its own."""
    source = MODELS / f"{name}.toml"
    text = source.read_text(encoding="utf-8")
    text = re.sub(r"(?m)^(method|step|end|output_interval|relative_tolerance|absolute_tolerance) *=.*\n", "", text)
    text = text.replace("[simulation]\n", f"[simulation]\n{settings}\n")
    text = re.sub(r'(?m)^fe = "', f'fe = "{source.parent.as_posix()}/', text)
    path = folder / f"{source.stem}.toml"
    path.write_text(text, encoding="utf-8")
    return path


# Kind, model, steps, channels; twenty rows each.
SIX = [
    ("tree", "robot_arm", 'method = "rk4"\nstep = 5e-4\noutput_interval = 0.01\nend = 0.2', "*.angle"),
    ("loop", "four_bar", 'method = "rk4"\nstep = 2e-5\noutput_interval = 2e-4\nend = 0.004', "*.angle"),
    ("implicit", "double_four_bar", 'method = "trapezoidal"\nstep = 0.002\noutput_interval = 0.01\nend = 0.2', "*.position.?"),
    ("controller", "controlled_arm", 'method = "rk4"\nstep = 5e-4\noutput_interval = 0.03\nend = 0.6', "*"),
    ("part", "panel_swing", 'method = "trapezoidal"\nstep = 0.005\noutput_interval = 0.05\nend = 1.0', "*"),
    ("vehicle", "gallery/vehicle", 'method = "generalized-alpha"\nstep = 0.002\noutput_interval = 0.01\nend = 0.2', "*.position.?"),
]


@pytest.mark.filterwarnings("ignore::flexura.ModelWarning")
@pytest.mark.parametrize("kind,name,settings,channels", SIX, ids=[case[0] for case in SIX])
def test_six_models_have_the_bits_of_a_run(
    tmp_path: pathlib.Path, kind: str, name: str, settings: str, channels: str
) -> None:
    from fmpy.validation import validate_fmu

    model = fixed(name, settings, tmp_path)
    for version in ("2", "3"):
        fmu = exported(model, tmp_path / f"{kind}{version}.fmu", "--fmi", version, "-c", channels)
        assert validate_fmu(fmu) == []
        known = flexura.simulate(flexura.load(model), channels=[channels], picture=False)
        step = float(known.time[1] - known.time[0])
        names = [channel for channel in known.names if channel != "time"]
        found = fmpy.simulate_fmu(
            fmu, fmi_type="CoSimulation", stop_time=float(known.time[-1]), output_interval=step, output=names
        )
        assert len(found["time"]) == len(known.time) == 21
        moved = 0
        for channel in names:
            assert (found[channel] == known[channel]).all(), (kind, version, channel)
            moved += int(np.ptp(known[channel]) > 0)
        assert moved > 0


@pytest.mark.filterwarnings("ignore::flexura.ModelWarning")
@pytest.mark.parametrize("version", ["2", "3"])
def test_the_global_formulation_is_for_co_simulation(tmp_path: pathlib.Path, version: str) -> None:
    """Bits of a run, and no model exchange: neither promised nor had."""
    from fmpy.validation import validate_fmu

    settings = 'formulation = "global"\nmethod = "trapezoidal"\nstep = 0.002\noutput_interval = 0.01\nend = 0.2'
    model = fixed("double_four_bar", settings, tmp_path)
    fmu = exported(model, tmp_path / "global.fmu", "--fmi", version, "-c", "*")
    assert validate_fmu(fmu) == []
    assert fmpy.read_model_description(fmu).modelExchange is None
    known = flexura.simulate(flexura.load(model), channels=["*"], picture=False)
    names = [channel for channel in known.names if channel != "time"]
    found = fmpy.simulate_fmu(fmu, fmi_type="CoSimulation", stop_time=0.2, output_interval=0.01, output=names)
    assert len(found["time"]) == len(known.time) == 21
    for channel in names:
        assert (found[channel] == known[channel]).all(), channel
    assert np.ptp(known["link_left.tip.position.x"]) > 0.1
    told: list[str] = []

    def logger(*words: Any) -> None:
        told.append(words[-1].decode())

    description = fmpy.read_model_description(fmu)
    description.modelExchange = fmpy.model_description.ModelExchange(modelIdentifier=description.coSimulation.modelIdentifier)
    with pytest.raises(Exception):
        fmpy.instantiate_fmu(
            fmpy.extract(fmu, str(tmp_path / "unzipped")), description, fmi_type="ModelExchange", logger=logger, debug_logging=True
        )
    assert "co-simulation only" in " ".join(told)


TIGHT = 'method = "dormand-prince"\nrelative_tolerance = 1e-12\nabsolute_tolerance = 1e-14\n'


def rows_of(kind: str, found: Any, times: Any) -> list[int]:
    """Rows of an importer that belong to those of a run."""
    places: dict[float, list[int]] = {}
    for row, time in enumerate(found["time"]):
        places.setdefault(round(float(time), 9), []).append(row)
    # Rows of a run at the instant of a sample are those before it, the first of an importer's.
    which = 0 if kind == "controller" else -1
    return [places[round(float(time), 9)][which] for time in times]


# Whole runs by CVode: end (s) and rows, from one of which to the next it takes 500 steps at most. The double four-bar goes to its first singular
# position, where no explicit method has accelerations, and hanging down, where there is none, through its whole time.
WHOLE = {
    "tree": (3.0, 600),
    "loop": (0.03, 150),
    "implicit": (0.71, 10),
    "hanging": (5.0, 50),
    "controller": (3.0, 50),
    "part": (5.0, 500),
    "vehicle": (5.0, 200),
}


def by_cvode(folder: pathlib.Path, kind: str, versions: str, end: float, rows: int) -> list[tuple[float, str, float]]:
    """Model exchange against a run with a tolerance of its own: the largest difference of what each channel comes to, of one at least, its channel and instant (s)."""
    name, channels = {case[0]: (case[1], case[3]) for case in SIX}["implicit" if kind == "hanging" else kind]
    model = fixed(name, f"{TIGHT}output_interval = {end / rows}\nend = {end}", folder)
    if kind == "hanging":
        text = model.read_text(encoding="utf-8")
        turned = re.sub(r"(?m)^position = (-?)1\.5707", lambda found: f"position = {'' if found[1] else '-'}1.5707", text)
        model.write_text(turned, encoding="utf-8")
    known = flexura.simulate(flexura.load(model), channels=[channels], picture=False)
    names = [channel for channel in known.names if channel != "time"]
    assert any(np.ptp(known[channel]) > 1e-3 for channel in names), "something moves"
    largest = []
    for version in versions:
        fmu = exported(model, folder / f"{kind}{version}.fmu", "--fmi", version, "-c", channels)
        found = fmpy.simulate_fmu(
            fmu, fmi_type="ModelExchange", stop_time=end, output_interval=end / rows, output=names, solver="CVode", relative_tolerance=1e-12
        )
        at = rows_of(kind, found, known.time)
        assert len(at) == rows + 1
        worst = (0.0, "", 0.0)
        for channel in names:
            off = np.abs(found[channel][at] - known[channel]) / max(1.0, np.abs(known[channel]).max())
            assert np.isfinite(off).all(), channel
            row = int(off.argmax())
            worst = max(worst, (float(off[row]), channel, float(known.time[row])))
        largest.append(worst)
    return largest


@pytest.mark.filterwarnings("ignore::flexura.ModelWarning")
@pytest.mark.parametrize("kind", list(WHOLE))
def test_whole_runs_of_six_models_by_cvode(tmp_path: pathlib.Path, kind: str) -> None:
    for off, channel, instant in by_cvode(tmp_path, kind, "23", *WHOLE[kind]):
        assert off < 1e-8, (channel, instant)


@pytest.mark.filterwarnings("ignore::flexura.ModelWarning")
def test_states_of_a_continuous_controller_by_cvode(tmp_path: pathlib.Path) -> None:
    """The servo of the controlled arm without samples: its integral and its filter are states of the FMU."""
    settings = 'method = "dormand-prince"\nrelative_tolerance = 1e-12\nabsolute_tolerance = 1e-14\noutput_interval = 0.01\nend = 0.5'
    model = fixed("controlled_arm", settings, tmp_path)
    text = model.read_text(encoding="utf-8")
    assert "sample_time = 0.002" in text
    model.write_text(text.replace("sample_time = 0.002", "integral = 20.0\nfilter = 0.01"), encoding="utf-8")
    names = ["motor.angle", "arm.tip.position.y", "servo.output.1", "energy.work", "energy.balance"]
    known = flexura.simulate(flexura.load(model), channels=names, picture=False)
    assert known["motor.angle"][-1] > 0.1 and known["energy.work"][-1] > 0.1
    for version in ("2", "3"):
        fmu = exported(model, tmp_path / f"servo{version}.fmu", "--fmi", version, "-c", *names)
        states = {unknown.variable.derivative.name for unknown in fmpy.read_model_description(fmu).derivatives}
        assert {"state.servo.x.1", "state.servo.x.2", "state.work"} <= states
        found = fmpy.simulate_fmu(
            fmu, fmi_type="ModelExchange", stop_time=0.5, output_interval=0.01, output=names, solver="CVode", relative_tolerance=1e-12
        )
        last = {round(float(time), 9): row for row, time in enumerate(found["time"])}
        rows = [last[round(float(time), 9)] for time in known.time]
        for channel in names:
            scale = max(1.0, np.abs(known[channel]).max())
            assert np.abs(found[channel][rows] - known[channel]).max() < 1e-8 * scale, (version, channel)


@pytest.mark.filterwarnings("ignore::flexura.ModelWarning")
@pytest.mark.parametrize("name,entry", [("robot_arm", "turn.effort"), ("four_bar", "b.effort")], ids=["tree", "loop"])
def test_derivatives_are_those_of_differences(tmp_path: pathlib.Path, name: str, entry: str) -> None:
    """A tree, and a loop with flexible links, whose derivatives go through the projection that closes it."""
    for version in ("2", "3"):
        options = ["--fmi", version, "-c", "*.angle", "*.position.?", "--inputs", entry]
        fmu = exported(MODELS / f"{name}.toml", tmp_path / "model.fmu", *options)
        description = fmpy.read_model_description(fmu)
        variables = description.modelVariables
        states = [unknown.variable.derivative for unknown in description.derivatives]
        knowns = [state.valueReference for state in states]
        inputs = [variable.valueReference for variable in variables if variable.causality == "input"]
        unknowns = [unknown.variable.valueReference for unknown in description.derivatives]
        unknowns += [variable.valueReference for variable in variables if variable.causality == "output"]
        folder = fmpy.extract(fmu, str(tmp_path / f"unzipped{version}"))
        # FMPy does not know the plural of version 3.0.
        xml = (pathlib.Path(folder) / "modelDescription.xml").read_text(encoding="utf-8")
        assert re.search(r'<ModelExchange [^>]*providesDirectionalDerivatives?="true"', xml)
        instance = fmpy.instantiate_fmu(folder, description, fmi_type="ModelExchange")
        if version == "2":
            instance.setupExperiment(startTime=0.0)
            instance.enterInitializationMode()
        else:
            instance.enterInitializationMode(startTime=0.0)
        instance.exitInitializationMode()
        read = instance.getReal if version == "2" else instance.getFloat64
        write = instance.setReal if version == "2" else instance.setFloat64
        start = np.array(read(knowns))
        # Modes move by shares of what they come to, which the description tells.
        size = np.array([float(state.nominal or 1.0) for state in states] + [1.0] * len(inputs))
        seed = np.sin(1.0 + 0.7 * np.arange(len(size))) * size

        def at(share: float) -> Any:
            moved = start + share * seed[: len(start)]
            instance.setContinuousStates((ctypes.c_double * len(moved))(*moved), len(moved))
            write(inputs, [share * value for value in seed[len(start) :]])
            return np.array(read(unknowns))

        h = 1e-4
        slope = (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h)
        at(0.0)
        found = np.array(instance.getDirectionalDerivative(unknowns, knowns + inputs, list(seed)))
        assert np.abs(found - slope).max() < 1e-6 * max(1.0, np.abs(slope).max())
        # Half of the outputs lie across the plane of motion.
        assert (np.abs(found) > 1e-6).sum() > len(found) // 3
        if version == "3":
            weights = np.cos(0.3 + 1.1 * np.arange(len(unknowns)))
            back = instance.getAdjointDerivative(unknowns, knowns + inputs, list(weights), len(knowns) + len(inputs))
            assert np.isclose(weights @ found, np.array(back) @ seed, rtol=1e-10)
        instance.freeInstance()


CART = """
[model]
gravity = [0, 0, 0]
[[body]]
name = "cart"
mass = {mass}
inertia = [1, 1, 1]
[[joint]]
name = "rail"
type = "prismatic"
between = ["ground.origin", "cart.origin"]
axis = [1, 0, 0]
position = {start}
stiffness = {stiffness}
[simulation]
end = 1.0
method = "rk4"
step = 0.001
output_interval = 0.01
"""


def test_two_fmus_are_coupled(tmp_path: pathlib.Path) -> None:
    """Two carts with a spring between them, each an FMU: the master hands over forces; against matrix exponentials."""
    from scipy.linalg import expm

    masses, holds, spring, starts = (1.0, 2.0), (30.0, 10.0), 25.0, (0.2, -0.1)
    units = []
    for k in range(2):
        path = tmp_path / f"cart{k}.toml"
        path.write_text(CART.format(mass=masses[k], start=starts[k], stiffness=holds[k]), encoding="utf-8")
        fmu = exported(path, tmp_path / f"cart{k}.fmu", "--fmi", str(2 + k), "-c", "rail.displacement", "--inputs", "rail.effort")
        description = fmpy.read_model_description(fmu)
        at = {variable.name: variable.valueReference for variable in description.modelVariables}
        units.append((fmpy.extract(fmu, str(tmp_path / f"unzipped{k}")), description, at))

    def coupled(step: float) -> float:
        """Displacement of the first cart at the end, with forces held over `step`."""
        live = []
        for k, (folder, description, at) in enumerate(units):
            unit = fmpy.instantiate_fmu(folder, description, fmi_type="CoSimulation")
            if k == 0:
                unit.setupExperiment(startTime=0.0)
                unit.enterInitializationMode()
            else:
                unit.enterInitializationMode(startTime=0.0)
            unit.exitInitializationMode()
            live.append((unit, at))
        read = (live[0][0].getReal, live[1][0].getFloat64)
        write = (live[0][0].setReal, live[1][0].setFloat64)
        place = [float(read[k]([live[k][1]["rail.displacement"]])[0]) for k in range(2)]
        for n in range(round(0.5 / step)):
            force = spring * (place[1] - place[0])
            for k, sign in ((0, 1.0), (1, -1.0)):
                write[k]([live[k][1]["rail.effort"]], [sign * force])
                live[k][0].doStep(currentCommunicationPoint=n * step, communicationStepSize=step)
                place[k] = float(read[k]([live[k][1]["rail.displacement"]])[0])
            # Both have seen the force of the step's start.
        for unit, _ in live:
            unit.terminate()
            unit.freeInstance()
        return place[0]

    A = np.zeros((4, 4))
    A[0, 2] = A[1, 3] = 1.0
    stiffness = np.array([[holds[0] + spring, -spring], [-spring, holds[1] + spring]])
    A[2:, :2] = -stiffness / np.array(masses)[:, None]
    exact = (expm(0.5 * A) @ np.array([*starts, 0.0, 0.0]))[0]
    errors = [coupled(step) - exact for step in (0.01, 0.005, 0.0025)]
    # Held forces are half a step late: first order.
    assert abs(errors[0]) < 5e-3
    for coarse, fine in zip(errors, errors[1:]):
        assert 1.8 < coarse / fine < 2.2, errors


@pytest.mark.parametrize("version", ["2", "3"])
def test_refusals_have_the_status_and_the_words_of_the_standard(tmp_path: pathlib.Path, version: str) -> None:
    fmu = exported(
        MODELS / "robot_arm.toml", tmp_path / "arm.fmu", "--fmi", version, "-c", "turn.angle", "--inputs", "turn.effort"
    )
    description = fmpy.read_model_description(fmu)
    at = {variable.name: variable.valueReference for variable in description.modelVariables}
    mass = next(name for name in at if name.startswith("parameter.") and name.endswith(".mass"))
    folder = fmpy.extract(fmu, str(tmp_path / "unzipped"))
    told: list[tuple[int, str]] = []

    def two(_: Any, __: bytes, status: int, ___: bytes, message: bytes) -> None:
        told.append((status, message.decode()))

    def three(_: Any, status: int, __: bytes, message: bytes) -> None:
        told.append((status, message.decode()))

    instance = fmpy.instantiate_fmu(
        folder, description, fmi_type="CoSimulation", logger=two if version == "2" else three, debug_logging=True
    )
    if version == "2":
        instance.setupExperiment(startTime=0.0)
        instance.enterInitializationMode()
    else:
        instance.enterInitializationMode(startTime=0.0)
    instance.exitInitializationMode()
    write = instance.setReal if version == "2" else instance.setFloat64
    read = instance.getReal if version == "2" else instance.getFloat64
    cases: list[tuple[Any, str]] = [
        (lambda: write([at["turn.effort"]], [float("nan")]), "cannot be"),
        (lambda: write([at["turn.angle"]], [1.0]), "cannot be set"),
        (lambda: write([at[mass]], [1.0]), "is fixed once the run has begun"),
        (lambda: read([4_000_000]), "no variable has the reference 4000000"),
        (lambda: instance.doStep(currentCommunicationPoint=7.0, communicationStepSize=0.1), "the run is at"),
        (lambda: instance.doStep(currentCommunicationPoint=0.0, communicationStepSize=-0.1), "a step of -0.1"),
        (
            lambda: instance.getDirectionalDerivative([at["turn.angle"]], [at["turn.effort"]], [1.0]),
            "offered for model exchange",
        ),
    ]
    for act, words in cases:
        told.clear()
        with pytest.raises(Exception):
            act()
        # fmi2Error and fmi3Error are 3.
        assert [status for status, _ in told] == [3] and words in told[0][1], (words, told)
    # It goes on after every refusal.
    instance.doStep(currentCommunicationPoint=0.0, communicationStepSize=0.01)
    instance.terminate()
    instance.freeInstance()


@pytest.mark.parametrize("version", ["2", "3"])
def test_model_exchange_refuses_with_the_status_and_the_words_of_the_standard(tmp_path: pathlib.Path, version: str) -> None:
    fmu = exported(MODELS / "controlled_arm.toml", tmp_path / "arm.fmu", "--fmi", version, "-c", "motor.angle")
    description = fmpy.read_model_description(fmu)
    at = {variable.name: variable.valueReference for variable in description.modelVariables}
    told: list[tuple[int, str]] = []

    def two(_: Any, __: bytes, status: int, ___: bytes, message: bytes) -> None:
        told.append((status, message.decode()))

    def three(_: Any, status: int, __: bytes, message: bytes) -> None:
        told.append((status, message.decode()))

    folder = fmpy.extract(fmu, str(tmp_path / "unzipped"))
    instance = fmpy.instantiate_fmu(
        folder, description, fmi_type="ModelExchange", logger=two if version == "2" else three, debug_logging=True
    )
    if version == "2":
        instance.setupExperiment(startTime=0.0)
        instance.enterInitializationMode()
    else:
        instance.enterInitializationMode(startTime=0.0)
    instance.exitInitializationMode()
    update = instance.newDiscreteStates if version == "2" else instance.updateDiscreteStates
    update()
    count = len(description.derivatives)
    rates = instance.getDerivatives if version == "2" else instance.getContinuousStateDerivatives

    def states(values: list[float]) -> Any:
        return instance.setContinuousStates((ctypes.c_double * len(values))(*values), len(values))

    def late() -> Any:
        instance.setTime(0.0031)
        return update()

    cases: list[tuple[Any, str]] = [
        (lambda: states([float("nan")] * count), "finite states are expected"),
        (lambda: states([0.0] * (count + 1)), f"{count} finite states are expected"),
        (lambda: instance.setTime(float("inf")), "time cannot be inf"),
        (lambda: rates((ctypes.c_double * 1)(), 1), f"there are {count} of them, not 1"),
        (lambda: instance.getDirectionalDerivative([at["motor.angle"]], [at["parameter.body.hub.mass"]], [1.0]), "is no state and no input"),
        (late, "its sample at 0.002 s was passed over"),
    ]
    for act, words in cases:
        told.clear()
        with pytest.raises(Exception):
            act()
        assert [status for status, _ in told] == [3] and words in told[0][1], (words, told)
    # It goes on after every refusal.
    instance.setTime(0.002)
    update()
    states([0.1] * count)
    instance.terminate()
    instance.freeInstance()


def test_events_stop_model_exchange_where_they_stop_a_run(tmp_path: pathlib.Path) -> None:
    text = (MODELS / "pendulum.toml").read_text(encoding="utf-8")
    text += '\n[[simulation.event]]\nname = "one-radian"\nchannel = "hinge.angle"\nvalue = 1.0\ndirection = "rising"\naction = "stop"\n'
    path = tmp_path / "p.toml"
    path.write_text(text, encoding="utf-8")
    known = flexura.simulate(flexura.load(path))
    assert known.time[-1] < 2.0, "the event ends the run"
    for version in ("2", "3"):
        fmu = exported(path, tmp_path / f"p{version}.fmu", "--fmi", version, "-c", "hinge.angle")
        from fmpy.validation import validate_fmu

        assert validate_fmu(fmu) == []
        found = fmpy.simulate_fmu(
            fmu, fmi_type="ModelExchange", stop_time=3.0, output_interval=0.01, output=["hinge.angle"], relative_tolerance=1e-10
        )
        assert abs(float(found["time"][-1]) - float(known.time[-1])) < 1e-6
        assert abs(float(found["hinge.angle"][-1]) - 1.0) < 1e-6


@pytest.mark.filterwarnings("ignore::flexura.ModelWarning")
def test_an_fmu_of_ours_drives_an_arm(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The example: a filter as an FMU, against the same filter as matrices, exact for held inputs."""
    from scipy.linalg import expm

    sys.path.insert(0, str(ROOT / "python/examples"))
    example = importlib.import_module("fmu_controller")
    monkeypatch.setenv("FLEXURA_FMU_LIBRARY", library())
    m, c, k, h = 1.5831e-6, 2.8e-4, 0.025, 0.001
    A, B = np.array([[0.0, 1.0], [-k / m, -c / m]]), np.array([[0.0], [1.0 / m]])
    both = expm(h * np.block([[A, B], [np.zeros((1, 3))]]))
    law = {"type": "state-space", "a": both[:2, :2].tolist(), "b": both[:2, 2:].tolist(), "c": [[1.0, 0.0]], "d": [[0.0]]}
    known = flexura.simulate(example.arm(law, tmp_path))
    assert abs(known["motor.angle"][-1] - 0.5) < 0.2 and np.ptp(known["arm.eta.1"]) > 1e-4
    for version in (2, 3):
        example.filter_fmu(tmp_path, version)
        found = flexura.simulate(example.arm({"type": "fmu", "file": "filter.fmu"}, tmp_path))
        # Runge-Kutta of the filter: (ωh)⁴ with ω = 126 rad/s and steps of half a millisecond.
        assert np.abs(found["motor.angle"] - known["motor.angle"]).max() < 1e-6
        assert np.abs(found["arm.eta.1"] - known["arm.eta.1"]).max() < 1e-6 * np.abs(known["arm.eta.1"]).max() * 100


def test_the_package_writes_them_too(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLEXURA_FMU_LIBRARY", library())
    flexura.export_fmu(MODELS / "pendulum.toml", tmp_path / "p.fmu", version=2, outputs=["hinge.*"])
    assert fmpy.read_model_description(str(tmp_path / "p.fmu")).fmiVersion == "2.0"
    with pytest.raises(RuntimeError, match="exit code 2"):
        flexura.export_fmu(MODELS / "pendulum.toml", tmp_path / "p.fmu", inputs=["none"])


def test_every_variable_but_parameters_has_a_unit_and_items_with_inputs_are_terminals(tmp_path: pathlib.Path) -> None:
    import zipfile

    from lxml import etree

    units = {"turn.angle": "rad", "state.turn.q.1": "rad", "der.turn.q.1": "rad/s", "state.turn.v.1": "rad/s", "der.turn.v.1": "rad/s²"}
    for version in ("2", "3"):
        fmu = exported(MODELS / "robot_arm.toml", tmp_path / "arm.fmu", "--fmi", version, "--inputs", "turn.effort", "elbow.effort")
        description = fmpy.read_model_description(fmu)
        defined = {unit.name for unit in description.unitDefinitions}
        for variable in description.modelVariables:
            # Numbers of the file have the units of the model file's pages; one key may have several (m or rad).
            if variable.causality != "parameter":
                own = variable.unit or (variable.declaredType and variable.declaredType.unit)
                assert own in defined, (version, variable.name, own)
                assert units.get(variable.name, own) == own
    schema = pathlib.Path(fmpy.__file__).parent / "schema/fmi3/fmi3TerminalsAndIcons.xsd"
    with zipfile.ZipFile(fmu) as archive:
        document = etree.fromstring(archive.read("terminalsAndIcons/terminalsAndIcons.xml"))
    etree.XMLSchema(etree.parse(str(schema))).assertValid(document)
    found = {terminal.get("name"): [member.get("variableName") for member in terminal] for terminal in document.iter("Terminal")}
    assert set(found) == {"turn", "elbow"}
    assert found["turn"][0] == "turn.effort" and "turn.angle" in found["turn"] and not any(name.startswith("elbow") for name in found["turn"])
    known = {variable.name for variable in description.modelVariables}
    assert {name for names in found.values() for name in names} <= known


SLIDE = """
[model]
gravity = [0, 0, -9.81]
[[body]]
name = "cart"
mass = 2
inertia = [1, 1, 1]
[[body]]
name = "bob"
mass = 1
inertia = [0.01, 0.01, 0.01]
center_of_mass = [0, 0, -0.5]
[[joint]]
name = "rail"
type = "prismatic"
between = ["ground.origin", "cart.origin"]
axis = [1, 0, 0]
motion = 0.25
[[joint]]
name = "hinge"
type = "revolute"
between = ["cart.origin", "bob.origin"]
axis = [0, 1, 0]
[simulation]
end = 1.0
method = "rk4"
step = 0.002
output_interval = 0.02
"""


def test_a_motion_is_an_input_of_co_simulation(tmp_path: pathlib.Path) -> None:
    """Accelerations of a carrier, held over steps: exact motion, the bits of our own stepping, and steps taken back."""
    path = tmp_path / "slide.toml"
    path.write_text(SLIDE, encoding="utf-8")
    accelerations = [0.0, 3.0, 3.0, -5.0, 2.0, 2.0]
    names = ["rail.displacement", "hinge.angle"]
    simulator = flexura.load(path).simulator(inputs=["rail.acceleration"], channels=names, step=0.02)
    known = []
    for value in accelerations:
        simulator.step([value])
        known.append(np.array([simulator[name] for name in names]))
    for version in ("2", "3"):
        fmu = exported(path, tmp_path / "s.fmu", "--fmi", version, "-c", *names, "--inputs", "rail.acceleration")
        description = fmpy.read_model_description(fmu)
        at = {variable.name: variable.valueReference for variable in description.modelVariables}
        unit = fmpy.instantiate_fmu(fmpy.extract(fmu, str(tmp_path / f"s{version}")), description, fmi_type="CoSimulation")
        if version == "2":
            unit.setupExperiment(startTime=0.0)
            unit.enterInitializationMode()
        else:
            unit.enterInitializationMode(startTime=0.0)
        unit.exitInitializationMode()
        read, write = (unit.getReal, unit.setReal) if version == "2" else (unit.getFloat64, unit.setFloat64)
        keep, back = (unit.getFMUstate, unit.setFMUstate) if version == "2" else (unit.getFMUState, unit.setFMUState)
        place, speed = 0.25, 0.0
        for row, value in enumerate(accelerations):
            stored = keep()
            # Two steps with other accelerations, taken back.
            write([at["rail.acceleration"]], [7.0])
            unit.doStep(currentCommunicationPoint=0.02 * row, communicationStepSize=0.02)
            assert abs(read([at["rail.displacement"]])[0] - (place + 0.02 * speed + 0.5 * 7.0 * 0.02**2)) < 1e-14
            write([at["rail.acceleration"]], [-4.0])
            unit.doStep(currentCommunicationPoint=0.02 * (row + 1), communicationStepSize=0.02)
            # As bytes too.
            back(unit.deserializeFMUState(unit.serializeFMUState(stored)) if version == "3" else stored)
            write([at["rail.acceleration"]], [value])
            unit.doStep(currentCommunicationPoint=0.02 * row, communicationStepSize=0.02)
            place, speed = place + 0.02 * speed + 0.5 * value * 0.02**2, speed + 0.02 * value
            found = read([at[name] for name in names])
            assert abs(found[0] - place) < 1e-14
            assert np.abs(np.array(found) - known[row]).max() < 1e-14
        assert abs(found[1]) > 1e-4
        unit.terminate()
        unit.freeInstance()
    # A pattern for everything leaves the motion as it is, and model exchange possible.
    fmu = exported(path, tmp_path / "all.fmu", "--inputs", "*")
    description = fmpy.read_model_description(fmu)
    assert description.modelExchange is not None
    assert [variable.name for variable in description.modelVariables if variable.causality == "input"] == ["hinge.effort"]


def test_a_motion_is_an_input_of_model_exchange(tmp_path: pathlib.Path) -> None:
    """CVode integrates position and speed of the carrier from the acceleration it is given: against a run that knows the motion."""
    path = tmp_path / "slide.toml"
    path.write_text(SLIDE, encoding="utf-8")
    tight = 'method = "dormand-prince"\nrelative_tolerance = 1e-12\nabsolute_tolerance = 1e-14\noutput_interval = 0.05'
    text = SLIDE.replace('method = "rk4"\nstep = 0.002\noutput_interval = 0.02', tight)
    # 3 m/s² for half a second, then -5 m/s²: between its own instants FMPy hands no inputs over, so that they may change at events only.
    pieces = "{ polynomial = [0.25, 0, 1.5] }, { polynomial = [-0.75, 4, -2.5] }"
    moving = text.replace("motion = 0.25", f"motion = {{ piecewise = {{ breaks = [0.5], pieces = [{pieces}] }} }}")
    names = ["rail.displacement", "rail.speed", "hinge.angle", "bob.position.x", "energy.work"]
    known = flexura.simulate(flexura.loads(moving), channels=names, picture=False)
    assert np.ptp(known["hinge.angle"]) > 0.1 and np.ptp(known["energy.work"]) > 0.1
    times = known.time
    signal = np.array([(0.0, 3.0), (0.5, 3.0), (0.5, -5.0), (1.0, -5.0)], dtype=[("time", float), ("rail.acceleration", float)])
    for version in ("2", "3"):
        fmu = exported(path, tmp_path / f"m{version}.fmu", "--fmi", version, "-c", *names, "--inputs", "rail.acceleration")
        from fmpy.validation import validate_fmu

        assert validate_fmu(fmu) == []
        found = fmpy.simulate_fmu(
            fmu, fmi_type="ModelExchange", stop_time=1.0, output_interval=0.05, output=names, input=signal, solver="CVode", relative_tolerance=1e-12
        )
        last = {round(float(time), 9): row for row, time in enumerate(found["time"])}
        rows = [last[round(float(time), 9)] for time in times]
        for channel in names:
            # Rows of energy.work of the run begin with the speed of the motion, which is zero here.
            assert np.abs(found[channel][rows] - known[channel]).max() < 1e-8, (version, channel)


def needed(path: str) -> list[str]:
    """Shared libraries that an ELF file asks for, from its dynamic section."""
    import struct

    content = pathlib.Path(path).read_bytes()
    assert content[:5] == b"\x7fELF\x02"
    at, size, count = struct.unpack_from("<Q", content, 40)[0], *struct.unpack_from("<2H", content, 58)
    sections = [struct.unpack_from("<2I4Q2I2Q", content, at + k * size) for k in range(count)]
    dynamic = next(section for section in sections if section[1] == 6)
    names = sections[dynamic[6]][4]
    entries = [struct.unpack_from("<2Q", content, dynamic[4] + k) for k in range(0, dynamic[5], 16)]
    return [content[names + value : content.index(b"\0", names + value)].decode() for tag, value in entries if tag == 1]


def test_the_library_needs_that_of_c_alone() -> None:
    assert set(needed(library())) <= {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2"}


def test_an_installed_package_finds_its_library_beside_it(tmp_path: pathlib.Path) -> None:
    """As wheels have it: the library in the folder of the extension, and no variable that names it."""
    import os
    import shutil

    package = pathlib.Path(flexura.__file__).parent
    shutil.copytree(package, tmp_path / "flexura", ignore=shutil.ignore_patterns("__pycache__", "libflexura_fmu*"))
    words = f"import flexura; flexura.export_fmu({str(MODELS / 'pendulum.toml')!r}, {str(tmp_path / 'p.fmu')!r})"
    environment = {key: value for key, value in os.environ.items() if key != "FLEXURA_FMU_LIBRARY"} | {"PYTHONPATH": str(tmp_path)}

    def run() -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-c", words], env=environment, capture_output=True, text=True, cwd=tmp_path)

    without_it = run()
    assert without_it.returncode != 0 and "releases and wheels have it beside the program" in without_it.stderr
    shutil.copy(library(), tmp_path / "flexura/libflexura_fmu.so")
    assert run().returncode == 0
    from fmpy.validation import validate_fmu

    assert validate_fmu(str(tmp_path / "p.fmu")) == []


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
