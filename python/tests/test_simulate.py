"""Runs: the same bits as the program, views without copies, files, failures, Ctrl-C."""

from __future__ import annotations

import os
import pathlib
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import flexura

from places import MODELS, ROOT, binary


def command(*arguments: object) -> subprocess.CompletedProcess[str]:
    """The program: the binary of the Rust tests, else the same command of the package."""
    found = binary()
    start = [found] if found else [sys.executable, "-m", "flexura"]
    return subprocess.run([*start, *map(str, arguments)], capture_output=True, text=True, cwd=ROOT)


@pytest.mark.parametrize("name", ["pendulum", "flexible_arm", "controlled_arm", "robot_arm"])
def test_the_program_and_python_give_the_same_bits(name: str, tmp_path: pathlib.Path) -> None:
    file = tmp_path / "out.fxr"
    done = command("run", MODELS / f"{name}.toml", "--end", 0.5, "--output", file, "--quiet")
    assert done.returncode == 0, done.stderr
    theirs = flexura.open_result(file)
    ours = flexura.simulate(flexura.load(MODELS / f"{name}.toml"), end=0.5)
    assert theirs.names == ours.names
    assert theirs.metadata["model_text"] == ours.metadata["model_text"]
    assert theirs.metadata["verdicts"] == ours.metadata["verdicts"]
    assert theirs.data.tobytes() == ours.data.tobytes()


def test_set_is_the_command_lines_set(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "out.fxr"
    done = command("run", "models/pendulum.toml", "--set", "rod.mass=2.5", "--end", 0.3, "-o", file, "-q")
    assert done.returncode == 0, done.stderr
    ours = flexura.simulate(flexura.load(MODELS / "pendulum.toml", set={"rod.mass": 2.5}), end=0.3)
    assert flexura.open_result(file).data.tobytes() == ours.data.tobytes()


def test_pendulum_against_the_quadrature_of_its_energy(pendulum: flexura.Model) -> None:
    result = flexura.simulate(pendulum, end=2.0)
    angle, rate = result["hinge.angle"], result["hinge.rate"]
    inertia, mass, arm, gravity = 0.083333 + 0.25, 1.0, 0.5, 9.81
    # Released from horizontal: I w^2 / 2 = m g l sin(angle)
    np.testing.assert_allclose(
        0.5 * inertia * rate**2, mass * gravity * arm * np.sin(angle), atol=1e-6 * mass * gravity * arm
    )


def test_channels_are_views_of_one_buffer(pendulum: flexura.Model) -> None:
    result = flexura.simulate(pendulum, end=0.2)
    for name in result:
        assert np.shares_memory(result[name], result.data)
    assert np.shares_memory(result.family("energy"), result.data)
    np.testing.assert_array_equal(result.family("energy")[:, 0], result["energy.kinetic"])
    assert not result.data.flags.writeable
    with pytest.raises(ValueError):
        result["hinge.angle"][0] = 1.0
    with pytest.raises(KeyError, match="did you mean 'hinge.angle'"):
        result["hinge.angel"]


def test_pandas_and_selection(pendulum: flexura.Model) -> None:
    result = flexura.simulate(pendulum, end=0.2, channels=["hinge.*", "energy.total"])
    table = result.to_pandas()
    assert list(table.columns) == result.names[1:] and table.index.name == "time"
    np.testing.assert_array_equal(table["hinge.angle"].to_numpy(), result["hinge.angle"])
    assert result.select("hinge.ang*") == ["hinge.angle"]
    assert result.unit("hinge.angle") == "rad"


def test_files_keep_everything(arm: flexura.Model, tmp_path: pathlib.Path) -> None:
    result = flexura.simulate(arm, end=0.2)
    file = tmp_path / "arm.fxr"
    result.save(file)
    again = flexura.open_result(file)
    assert again.complete and again.names == result.names and again.metadata == result.metadata
    assert again.data.tobytes() == result.data.tobytes()
    with pytest.raises(FileExistsError):
        result.save(file, overwrite=False)
    torn = tmp_path / "torn.fxr"
    torn.write_bytes(file.read_bytes()[:-200])
    assert not flexura.open_result(torn).complete
    (tmp_path / "no.fxr").write_bytes(b"nothing of the kind")
    with pytest.raises(ValueError, match="no.fxr"):
        flexura.open_result(tmp_path / "no.fxr")
    with pytest.raises(FileNotFoundError):
        flexura.open_result(tmp_path / "missing.fxr")


def test_models_and_results_can_be_pickled(arm: flexura.Model) -> None:
    model = pickle.loads(pickle.dumps(arm))
    assert model.text == arm.text and model.file_name == arm.file_name
    ours, theirs = (flexura.simulate(m, end=0.2) for m in (arm, model))
    again = pickle.loads(pickle.dumps(theirs))
    assert ours.data.tobytes() == theirs.data.tobytes() == again.data.tobytes()
    assert again.names == ours.names and again.outcome == ours.outcome


def test_start_from_a_state_and_from_the_equilibrium(pendulum: flexura.Model) -> None:
    whole = flexura.simulate(pendulum, end=1.0)
    again = flexura.simulate(pendulum, end=1.0, initial_state=pendulum.initial_state())
    assert whole.data.tobytes() == again.data.tobytes()
    moved = flexura.simulate(pendulum, end=0.1, initial_state=([0.3], [0.0]))
    set_in_file = flexura.load(MODELS / "pendulum.toml", set={"hinge.position": 0.3})
    assert moved.data.tobytes() == flexura.simulate(set_in_file, end=0.1).data.tobytes()
    tilted = flexura.load(MODELS / "pendulum.toml", set={"hinge.position": 1.2})
    rest = flexura.simulate(tilted, end=1.0, from_static=True)
    assert np.ptp(rest["hinge.angle"]) < 1e-9


def test_a_failing_run_keeps_its_rows() -> None:
    # A free fall onto an event-free singularity: a spring of wrong sign blows up.
    model = (
        flexura.ModelBuilder("burst", gravity=[0, 0, 0])
        .rigid("rod", mass=1.0, inertia=[1.0, 1.0, 1.0])
        .prismatic("slide", "ground.origin", "rod.origin", position=1.0)
        .element("burst", "spring-damper", "ground.origin", "rod.origin", polynomial=[0, -1.0, 0, -1e3])
        .simulation(end=50.0, output_interval=0.001)
        .build()
    )
    with pytest.raises(flexura.SimulationError) as caught:
        flexura.simulate(model)
    result = caught.value.result
    assert result is not None and result.data.shape[0] > 10 and not result.complete
    assert caught.value.time is not None and caught.value.time >= result.time[-1]


def test_ctrl_c_keeps_the_rows(pendulum: flexura.Model) -> None:
    # Enough rows for minutes; interrupted after half a second.
    timer = threading.Timer(0.5, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt) as caught:
        flexura.simulate(pendulum, end=1e5, channels=["hinge.angle"])
    timer.join()
    assert time.monotonic() - started < 30.0
    assert isinstance(caught.value, flexura.Interrupted)
    result = caught.value.result
    assert 10 < result.data.shape[0] and not result.complete
    reference = flexura.simulate(pendulum, end=1.0, channels=["hinge.angle"])
    rows = min(100, result.data.shape[0])
    assert reference.data[:rows].tobytes() == result.data[:rows].tobytes()


def test_ctrl_c_leaves_a_long_computation_behind() -> None:
    """A computation that would take minutes and cannot be asked to stop; the process ends without it."""
    lines = """
import flexura, signal, threading
model = flexura.load("models/pendulum.toml")
threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT)).start()
try:
    flexura.sensitivity(model, ["rod.mass"], ["hinge.angle"], end=1e5)
except KeyboardInterrupt:
    print("interrupted", model.accelerations([0.0], [0.0]).size)
"""
    done = subprocess.run([sys.executable, "-c", lines], capture_output=True, text=True, cwd=ROOT, timeout=120)
    assert done.returncode == 0 and done.stdout == "interrupted 1\n", done.stderr


def test_the_interpreter_is_free_during_a_run(pendulum: flexura.Model) -> None:
    counted = 0
    done = threading.Event()

    def work() -> None:
        flexura.simulate(pendulum, end=100.0, channels=["hinge.angle"])
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.is_set():
        counted += 1
        time.sleep(0.001)
    thread.join()
    assert counted > 5


def test_the_progress_bar_draws_and_goes(pendulum: flexura.Model, capsys: pytest.CaptureFixture[str]) -> None:
    flexura.simulate(pendulum, end=4000.0, channels=["hinge.angle"], progress=True)
    shown = capsys.readouterr().err
    assert "%" in shown and shown.endswith("\r\x1b[K")
    flexura.simulate(pendulum, end=0.1)
    assert capsys.readouterr().err == ""


def test_events_and_outcome() -> None:
    model = (
        flexura.ModelBuilder("drop")
        .point("stone", 2.0)
        .joint("fall", "translational", "ground.origin", "stone.origin", position=[0, 0, 10])
        .event("floor", "fall.z", value=0, direction="falling", action="stop")
        .simulation(end=5.0)
        .build()
    )
    result = flexura.simulate(model)
    assert result.outcome["stopped_by"] == "floor"
    assert result.time[-1] == pytest.approx(np.sqrt(20 / 9.81), rel=1e-9)


def test_the_page_holds_the_run(arm: flexura.Model, tmp_path: pathlib.Path) -> None:
    page = flexura.simulate(arm, end=0.1).view(tmp_path / "arm.html")
    text = (tmp_path / "arm.html").read_text(encoding="utf-8")
    assert text == page.html and "flexura-data" in text and "flexible arm" in text
    assert "<iframe srcdoc=" in page._repr_html_()
    with pytest.raises(OSError, match="picture"):
        flexura.simulate(arm, end=0.1, picture=False).view()


def test_plots(arm: flexura.Model) -> None:
    import matplotlib

    matplotlib.use("Agg")
    figure = flexura.simulate(arm, end=0.1).plot("elbow.angle", "elbow.rate", "energy.total")
    assert len(figure.axes) == 3
    assert figure.axes[0].get_ylabel() != ""
    assert flexura.simulate(arm, end=0.1).plot().axes[0].get_legend() is not None


def test_the_lines_of_the_readme(tmp_path: pathlib.Path) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8").split("## From Python")[1]
    lines = text.split("```python\n")[1].split("```")[0]
    (tmp_path / "models").symlink_to(MODELS)
    plain = {**os.environ, "MPLBACKEND": "agg"}
    done = subprocess.run([sys.executable, "-c", lines], capture_output=True, text=True, cwd=tmp_path, env=plain)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("rad\n")
    assert (tmp_path / "arm.png").stat().st_size > 10_000 and (tmp_path / "arm.html").stat().st_size > 100_000


def test_the_command_is_in_the_package() -> None:
    done = subprocess.run([sys.executable, "-m", "flexura", "check", "models/pendulum.toml"], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0 and "rod" in done.stdout
    done = subprocess.run([sys.executable, "-m", "flexura", "nonsense"], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 2


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_the_program_in_the_package_ends_at_ctrl_c_without_a_traceback(tmp_path: pathlib.Path) -> None:
    """The interpreter has a handler of its own, which must not speak after the program has."""
    (tmp_path / "long.toml").write_text((ROOT / "models/pendulum.toml").read_text().replace("end = 5.0", "end = 1e9"))
    started = [sys.executable, "-m", "flexura", "run", "long.toml"]
    with subprocess.Popen(started, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        try:
            begun = time.monotonic()
            while not (tmp_path / "long.fxr").exists() or (tmp_path / "long.fxr").stat().st_size < 30_000:
                assert time.monotonic() < begun + 60 and run.poll() is None
                time.sleep(0.05)
            run.send_signal(signal.SIGINT)
            _, told = run.communicate(timeout=30)
        finally:
            run.kill()
    assert run.returncode == 130, told
    assert "interrupted at t = " in told and "Traceback" not in told
