"""Exceptions, never aborts: bad models, shapes, numbers, files, and ten thousand mangled calls."""

from __future__ import annotations

import pathlib
import pickle
from typing import Any, Callable

import numpy as np
import pytest

import flexura

from places import MODELS

CALLS = 10_000


def test_findings_have_item_and_place(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "broken.toml"
    path.write_text((MODELS / "pendulum.toml").read_text().replace('"rod.pivot"', '"rod.pivto"'))
    with pytest.raises(flexura.ModelError) as caught:
        flexura.load(path)
    found = caught.value.diagnostics[0]
    assert found.item == "joint `hinge`" and found.file == str(path)
    line = path.read_text().splitlines()[found.line - 1]
    assert line[found.column - 1 :].startswith('"rod.pivto"')
    assert "pivot" in found.help and "rod.pivto" in str(caught.value) and str(found.line) in str(found)
    again = pickle.loads(pickle.dumps(caught.value))
    assert again.diagnostics == caught.value.diagnostics and str(again) == str(caught.value)


def test_bad_files(tmp_path: pathlib.Path) -> None:
    with pytest.raises(FileNotFoundError):
        flexura.load(tmp_path / "missing.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00model")
    with pytest.raises(flexura.ModelError, match="UTF-8"):
        flexura.load(tmp_path / "binary.toml")
    with pytest.raises(flexura.ModelError, match="syntax"):
        flexura.loads("[[body")
    with pytest.raises(flexura.ModelError, match="did you mean"):
        flexura.load(MODELS / "pendulum.toml", set={"rod.mas": 1.0})
    with pytest.raises(flexura.ModelError, match="finite"):
        flexura.load(MODELS / "pendulum.toml", set={"rod.mass": float("nan")})
    with pytest.raises(flexura.ModelError, match="no channel matches"):
        flexura.loads((MODELS / "pendulum.toml").read_text() + '\n[output]\nchannels = ["hingee.*"]\n')


def test_warnings_are_warnings() -> None:
    text = (MODELS / "pendulum.toml").read_text().replace("axis = [0, 1, 0]", "axis = [0, 2, 0]")
    with pytest.warns(flexura.ModelWarning, match="hinge"):
        model = flexura.loads(text)
    assert flexura.diagnostics(model)[0].severity == "warning"


def test_shapes_and_numbers(pendulum: flexura.Model) -> None:
    for q, v, words in [
        ([0.1, 0.2], [0.0], "q has 2 entries, the model needs 1"),
        ([0.1], [], "v has 0 entries"),
        ([np.nan], [0.0], "q\\[0\\] is NaN"),
        ([0.0], [np.inf], "v\\[0\\] is inf"),
    ]:
        with pytest.raises(ValueError, match=words):
            pendulum.accelerations(q, v)
        with pytest.raises(ValueError, match=words):
            flexura.simulate(pendulum, initial_state=(q, v))
    with pytest.raises(TypeError):
        pendulum.accelerations(np.zeros((1, 1)), [0.0])
    with pytest.raises(ValueError, match="out has 3"):
        pendulum.accelerations([0.0], [0.0], out=np.zeros(3))
    with pytest.raises(ValueError, match="written"):
        frozen = np.zeros(1)
        frozen.flags.writeable = False
        pendulum.accelerations([0.0], [0.0], out=frozen)
    with pytest.raises(ValueError, match="contiguous"):
        arm = flexura.load(MODELS / "flexible_arm.toml")
        arm.accelerations(*arm.initial_state(), out=np.zeros(2 * arm.speed_count)[::2])
    with pytest.raises(ValueError, match="algorithm"):
        pendulum.accelerations([0.0], [0.0], algorithm="guess")  # type: ignore[arg-type]
    for keys in ({"end": -1.0}, {"end": np.nan}, {"output_interval": -1.0}, {"relative_tolerance": 2.0}):
        with pytest.raises(ValueError, match=next(iter(keys))):
            flexura.simulate(pendulum, **keys)
    with pytest.raises(ValueError, match="no channel matches"):
        flexura.simulate(pendulum, channels=["nothing"])


def test_quaternions_must_be_unit() -> None:
    model = flexura.load(MODELS / "satellite.toml")
    q, v = model.initial_state()
    bad = q.copy()
    bad[np.abs(bad - 1.0).argmin()] = 0.5
    with pytest.raises(ValueError, match="quaternion"):
        model.accelerations(bad, v)


JUNK: list[Any] = [
    None, True, -1, 0, 3, 10**30, 0.0, -0.0, 1e308, -1e-308, float("nan"), float("inf"), 1j, "", "x", "hinge.angle",
    "*", "?" * 50, "\x00", "é", b"bytes", [], [0.0], [1.0, 2.0], [None], [[0.0]], ["hinge.angle"], ["a", 1], (0.0,),
    ([0.0], [0.0]), ([np.nan], [0.0]), {}, {"rod.mass": 1.0}, {"rod.mass": [1.0, -2.0]}, {1: 2}, object(), print,
    np.zeros(1), np.zeros(0), np.zeros((1, 1)), np.zeros(1, dtype=int), np.zeros(1, dtype=complex),
    np.array(["a"]), np.zeros(2)[::2], np.full(1, np.nan), np.array(0.0), np.zeros(1, dtype=np.float32),
    range(3), slice(None), 0.01, 0.001, "articulated", "composite", "divide-and-conquer",
]


def surface(model: flexura.Model, folder: pathlib.Path) -> list[tuple[Callable[..., Any], int, list[str]]]:
    """Every public call: function, positional arguments, keywords."""
    short = {"end": 0.02}
    run = flexura.simulate(model, **short)
    return [
        (model.accelerations, 2, ["t", "algorithm", "out"]),
        (model.inverse_dynamics, 3, ["t"]),
        (model.mass_matrix, 1, []),
        (lambda *a, **k: flexura.simulate(model, *a, **{**short, **k}), 0,
         ["output_interval", "relative_tolerance", "channels", "initial_state", "from_static", "picture"]),
        (lambda *a, **k: flexura.rollout(model, *a, **{**short, **k}), 2, ["threads", "channels", "errors"]),
        (lambda *a, **k: flexura.static(model, **k), 0, ["state", "t", "tolerance", "load_steps"]),
        (lambda *a, **k: flexura.linearize(model, *a, **k), 2, ["state", "t"]),
        (lambda *a, **k: flexura.modes(model, **k), 0, ["state", "t", "at_equilibrium"]),
        (lambda *a, **k: flexura.frequency_response(model, *a, **k), 3, ["state"]),
        (lambda *a, **k: flexura.sensitivity(model, *a, **{**short, **k}), 2, ["output_interval"]),
        (flexura.loads, 1, ["set", "controllers", "file_name"]),
        (flexura.load, 1, ["set"]),
        (flexura.open_result, 1, []),
        (run.__getitem__, 1, []),
        (run.family, 1, []),
        (run.select, 1, []),
        (lambda *a: run.save(folder / "x.fxr", overwrite=a[0]), 1, []),
        (lambda *a, **k: flexura.ModelBuilder(*a, **k).build(), 1, ["gravity"]),
        (lambda *a, **k: flexura.ModelBuilder().rigid("a", *a, **k).revolute("b", "ground.origin", "a.origin").build(),
         2, ["frames", "level", "center_of_mass"]),
    ]


def test_ten_thousand_mangled_calls(pendulum: flexura.Model, tmp_path: pathlib.Path) -> None:
    """Whatever is passed in whatever place, there is an answer or an ``Exception``; a panic would not be one."""
    random = np.random.default_rng(20261115)
    calls = surface(pendulum, tmp_path)
    answered = 0
    with np.errstate(all="ignore"):
        for _ in range(CALLS):
            function, count, keywords = calls[random.integers(len(calls))]
            count = max(0, count + int(random.choice([0, 0, 0, 0, 0, 0, -1, 1])))
            arguments = [JUNK[random.integers(len(JUNK))] for _ in range(count)]
            chosen = [key for key in keywords if random.random() < 0.4]
            try:
                function(*arguments, **{key: JUNK[random.integers(len(JUNK))] for key in chosen})
                answered += 1
            except Exception as fault:  # noqa: BLE001: PanicException is a BaseException and gets through
                assert str(fault) or isinstance(fault, (AssertionError, KeyError)), repr(fault)
    assert 0 < answered < CALLS
    # The model is as good as before.
    assert pendulum.accelerations([0.0], [0.0])[0] == pytest.approx(14.715, abs=1e-3)


def test_mangled_texts(tmp_path: pathlib.Path) -> None:
    random = np.random.default_rng(4)
    text = (MODELS / "flexible_arm.toml").read_text()
    built = 0
    for _ in range(300):
        mangled = list(text)
        for _ in range(random.integers(1, 6)):
            place = random.integers(len(mangled))
            match random.integers(3):
                case 0:
                    del mangled[place : place + random.integers(1, 20)]
                case 1:
                    mangled[place] = chr(random.integers(32, 127))
                case _:
                    mangled.insert(place, str(random.integers(10)))
        try:
            with np.errstate(all="ignore"), pytest.MonkeyPatch.context() as patch:
                patch.setattr("warnings.warn", lambda *a, **k: None)
                flexura.loads("".join(mangled))
            built += 1
        except flexura.ModelError as error:
            assert error.diagnostics
    assert built > 0
