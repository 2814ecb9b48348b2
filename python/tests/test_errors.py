"""Exceptions, never aborts: bad models, shapes, numbers, files, and ten thousand mangled calls."""

from __future__ import annotations

import pathlib
import pickle
import warnings
from typing import Any, Callable

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

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


VALUES = st.one_of(
    st.sampled_from(JUNK),
    st.floats(),
    st.integers(-3, 8),
    st.text(max_size=6),
    st.lists(st.floats(), max_size=3),
    st.dictionaries(st.sampled_from(["rod.mass", "hinge.position", "end", ""]), st.floats() | st.text(max_size=3), max_size=2),
    arrays(st.sampled_from([float, int, np.float32, complex, bool, np.uint64]), array_shapes(max_dims=2, max_side=3)),
)


Call = tuple[Callable[..., Any], list[Any], list[str]]


def surface(model: flexura.Model, folder: str) -> list[Call]:
    """Every public call: function, arguments that are right, keywords."""
    short = {"end": 0.02}
    run = flexura.simulate(model, **short)
    made: list[flexura.Checkpoint] = []
    flexura.simulate(model, checkpoint=made.append, checkpoint_interval=0.0, **short)
    kept = made[0]
    mesh = np.array([[0.0, 0, 0], [1, 0, 0]]), {"line": np.array([[0, 1]])}
    metal = {"young": 7e10, "poisson": 0.3, "density": 2700.0, "section": {"circle": 0.01}}
    one, zero = np.ones(1), np.zeros(1)

    def restart(*parts: Any, **keys: Any) -> flexura.Result:
        return flexura.simulate(model, restart=flexura.Checkpoint(*parts), **short, **keys)

    return [
        (model.accelerations, [zero, one], ["t", "algorithm", "out"]),
        (model.inverse_dynamics, [zero, one, one], ["t"]),
        (model.mass_matrix, [zero], []),
        (model.frame_motion, [model.frames[0], zero, one], ["t"]),
        (model.jacobian, [model.frames[0], zero], ["t"]),
        (model.retract, [zero, one], []),
        (lambda **k: flexura.simulate(model, **{**short, **k}), [],
         ["output_interval", "relative_tolerance", "absolute_tolerance", "channels", "initial_state", "from_static", "picture",
          "threads", "restart", "checkpoint_interval", "progress"]),
        (restart, [kept.time, kept.words, kept.rows, kept.model], ["channels"]),
        (lambda *a, **k: flexura.rollout(model, *a, **{**short, **k}), [{"rod.mass": [1.0, 2.0]}, [(zero, one)] * 2],
         ["threads", "channels", "errors"]),
        (lambda **k: flexura.static(model, **k), [], ["state", "t", "tolerance", "load_steps"]),
        (lambda *a, **k: flexura.linearize(model, *a, **k), [["hinge.effort"], ["hinge.*"]], ["state", "t"]),
        (lambda **k: flexura.modes(model, **k), [], ["state", "t", "at_equilibrium"]),
        (lambda *a, **k: flexura.frequency_response(model, *a, **k), [[1.0], ["hinge.effort"], ["hinge.angle"]], ["state"]),
        (lambda *a, **k: flexura.sensitivity(model, *a, **{**short, **k}), [["rod.mass"], ["hinge.angle"]], ["output_interval"]),
        (flexura.loads, [model.text], ["set", "controllers", "file_name", "simulation"]),
        (flexura.load, [str(MODELS / "pendulum.toml")], ["set"]),
        (flexura.open_result, [f"{folder}/none.fxr"], []),
        (flexura.reduce, ["part.toml"], ["text"]),
        (flexura.reduce_matrices, [np.eye(12), np.eye(12), mesh[0], {"a": 0, "b": 1}], ["freedoms", "modes", "method", "damping"]),
        (lambda *a, **k: flexura.reduce_mesh(a[:2], *a[2:], **k), [*mesh, {"a": 0, "b": 1}, metal], ["modes", "reference"]),
        (run.__getitem__, ["hinge.angle"], []),
        (run.family, ["energy"], []),
        (run.select, ["hinge.*"], []),
        (lambda *a: run.save(f"{folder}/x.fxr", overwrite=a[0]), [True], []),
        (lambda *a, **k: flexura.ModelBuilder(*a, **k).build(), ["name"], ["gravity"]),
        (lambda *a, **k: flexura.ModelBuilder().rigid("a", *a, **k).revolute("b", "ground.origin", "a.origin").build(),
         [1.0, [1.0, 1.0, 1.0]], ["frames", "level", "center_of_mass"]),
    ]


@st.composite
def mangled(draw: st.DrawFn, calls: list[Call]) -> tuple[Callable[..., Any], list[Any], dict[str, Any]]:
    """A call with some of its arguments replaced, one too few or one too many."""
    function, right, keywords = draw(st.sampled_from(calls))
    keys = draw(st.lists(st.sampled_from(keywords), max_size=2, unique=True)) if keywords else []
    places = draw(st.sets(st.integers(0, len(right)), max_size=2))
    arguments = [draw(VALUES) if place in places else value for place, value in enumerate(right)]
    if len(right) in places and not keys:
        arguments = arguments[:-1] if draw(st.booleans()) else [*arguments, draw(VALUES)]
    return function, arguments, {key: draw(VALUES) for key in keys}


def test_ten_thousand_mangled_calls(pendulum: flexura.Model, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is passed in whatever place, there is an answer or an ``Exception``; a panic would not be one."""
    monkeypatch.chdir(tmp_path)
    counted = {"answered": 0, "refused": 0}

    @settings(max_examples=CALLS, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
    @given(mangled(surface(pendulum, str(tmp_path))))
    def call(drawn: tuple[Callable[..., Any], list[Any], dict[str, Any]]) -> None:
        function, arguments, keys = drawn
        try:
            function(*arguments, **keys)
            counted["answered"] += 1
        except Exception as fault:  # noqa: BLE001: PanicException is a BaseException and gets through
            assert "please report" not in str(fault), repr(fault)
            counted["refused"] += 1

    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        call()
    assert counted["answered"] + counted["refused"] >= CALLS
    assert min(counted.values()) > 100
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
