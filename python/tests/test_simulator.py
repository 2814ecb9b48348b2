"""Stepping: the bits of a run, inputs, saved states, read-outs, other methods, pace, batches."""

import pickle
import warnings

import numpy as np
import pytest

import flexura
from places import MODELS

FIXED = {"method": "rk4", "step": 1e-3, "output_interval": 0.01, "end": 0.4}
IMPLICIT = {"method": "generalized-alpha", "step": 2e-3, "output_interval": 0.01, "end": 0.4, "spectral_radius": 0.8}


def rows(sim: flexura.Simulator, count: int) -> np.ndarray:
    return np.array([sim.values.copy(), *(sim.step().copy() for _ in range(count))])


CASES = [(name, FIXED) for name in ("pendulum", "controlled_arm", "spinning_top")]
CASES += [(name, IMPLICIT) for name in ("pendulum", "flexible_arm", "controlled_arm", "four_bar", "spinning_top")]


@pytest.mark.parametrize(("name", "settings"), CASES, ids=[f"{name}-{keys['method']}" for name, keys in CASES])
def test_steps_have_the_bits_of_a_run(name: str, settings: dict) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = flexura.load(MODELS / f"{name}.toml", simulation=settings)
        whole = flexura.simulate(model, channels=["*"], picture=False)
    sim = model.simulator(channels=["*"])  # every input that the model can have, at its start
    found = rows(sim, 39)
    wanted = np.stack([whole[name] for name in sim.names], axis=1)
    # The last row of a run sees inputs from the left, the others from both sides.
    assert np.array_equal(found, wanted[:40])


def test_pieces_of_adaptive_steps_agree_within_their_tolerance() -> None:
    model = flexura.load(MODELS / "controlled_arm.toml")
    whole = flexura.simulate(model, end=1.0, channels=["motor.angle", "arm.eta.*"], relative_tolerance=1e-9)
    sim = model.simulator(channels=["motor.angle", "arm.eta.*"], simulation={"relative_tolerance": 1e-9})
    found = rows(sim, 100)
    wanted = np.stack([whole[name] for name in sim.names], axis=1)
    scale = np.abs(wanted).max(axis=0)
    assert (np.abs(found - wanted[:101]) / scale).max() < 1e-6
    # Uneven instants are met exactly.
    sim.advance_to(1.23456789)
    assert sim.time == 1.23456789
    sim.step()
    assert sim.time == 1.23456789 + sim.interval


def test_inputs_that_are_held_are_those_of_a_file_with_steps() -> None:
    text = (MODELS / "pendulum.toml").read_text()
    simulation = {**FIXED, "end": 0.4}
    driven = text.replace('name = "hinge"', 'name = "hinge"\neffort = { piecewise = { breaks = [0.1, 0.2], pieces = [3, -4, 0.5] } }')
    assert driven != text
    whole = flexura.simulate(flexura.loads(driven, simulation=simulation), channels=["hinge.*", "energy.balance"])
    sim = flexura.loads(text, simulation=simulation).simulator(["hinge.effort"], ["hinge.*", "energy.balance"], step=0.1)
    for end, effort in enumerate([3.0, -4.0, 0.5], start=1):
        sim.step({"hinge.effort": effort})
        assert sim["hinge.angle"] == pytest.approx(whole["hinge.angle"][10 * end], rel=1e-12)
        assert sim["hinge.rate"] == pytest.approx(whole["hinge.rate"][10 * end], rel=1e-12)
        assert abs(sim["energy.balance"]) < 1e-6
    assert sim.inputs == {"hinge.effort": 0.5}


def test_an_acceleration_moves_a_held_coordinate_on() -> None:
    model = flexura.tasks.Crane().model
    sim = model.simulator(["slew.acceleration"], ["slew.angle", "slew.rate"])
    angle = rate = 0.0
    for acceleration in (0.3, -0.1, 0.25, 0.0):
        sim.step([acceleration])
        angle += rate * 0.1 + 0.5 * acceleration * 0.01
        rate += acceleration * 0.1
        assert sim["slew.angle"] == pytest.approx(angle, abs=1e-14)
        assert sim["slew.rate"] == pytest.approx(rate, abs=1e-14)
    kept = sim.save()
    after = sim.step([0.2]).copy()
    sim.restore(kept)
    assert np.array_equal(sim.step([0.2]), after)
    sim.reset()
    assert sim["slew.angle"] == 0.0 and sim.inputs == {"slew.acceleration": 0.0}


def test_states_are_saved_and_taken_back_bit_by_bit() -> None:
    model = flexura.load(MODELS / "controlled_arm.toml")
    sim = model.simulator(step=0.013)
    for _ in range(7):
        sim.step()
    kept = pickle.loads(pickle.dumps(sim.save()))
    onward = np.array([sim.step().copy() for _ in range(5)])
    sim.restore(kept)
    assert sim.time == kept.time
    assert np.array_equal(np.array([sim.step().copy() for _ in range(5)]), onward)
    other = model.simulator(step=0.013)
    other.restore(kept)
    assert np.array_equal(np.array([other.step().copy() for _ in range(5)]), onward)
    with pytest.raises(ValueError, match="another model"):
        flexura.load(MODELS / "pendulum.toml").simulator().restore(kept)
    with pytest.raises(ValueError, match="other channels or inputs"):
        model.simulator(channels=["motor.angle"]).restore(kept)
    fresh = model.simulator(step=0.013)
    first = fresh.values.copy()
    fresh.step()
    assert np.array_equal(fresh.reset(), first) and fresh.time == 0.0
    q, v = model.initial_state()
    q[model.joint("motor").q] = 0.25
    fresh.reset((q, v), t=2.0)
    assert fresh.time == 2.0 and fresh.q[0] == q[0]


def test_views_are_overwritten_and_cannot_be_written_to() -> None:
    sim = flexura.load(MODELS / "pendulum.toml").simulator()
    values, q, v = sim.values, sim.q, sim.v
    before = q.copy()
    assert sim.step() is values and sim.q is q and sim.v is v
    assert not np.array_equal(before, q)
    with pytest.raises(ValueError, match="read-only"):
        q[0] = 1.0


def test_frames_energies_reactions_and_contacts_are_those_of_channels() -> None:
    model = flexura.load(MODELS / "flexible_arm.toml")
    sim = model.simulator(channels=["*"], step=0.05)
    for _ in range(6):
        sim.step()
    tip = sim.frame(model.body("fore").frame("hand"))
    assert np.allclose(tip.position, [sim[f"fore.hand.position.{a}"] for a in "xyz"], atol=1e-12)
    assert np.allclose(tip.velocity, [sim[f"fore.hand.velocity.{a}"] for a in "xyz"], atol=1e-11)
    assert np.allclose(tip.jacobian @ sim.v, [*tip.angular_velocity, *tip.velocity], atol=1e-11)
    assert sim.energies()["total"] == pytest.approx(sim["energy.total"], rel=1e-12)
    force = [sim[f"elbow.{kind}.{a}"] for kind in ("moment", "force") for a in "xyz"]
    assert np.allclose(sim.reaction("elbow"), force, rtol=1e-9, atol=1e-9)
    assert sim.measure("elbow.angle") == {"elbow.angle": pytest.approx(sim["elbow.angle"])}
    with pytest.raises(ValueError, match="counts from the start"):
        sim.measure("energy.balance")
    ball = flexura.load(MODELS.parent / "book/examples/contact.toml")
    falling = ball.simulator(channels=["*"])
    contact = next(name[:-8] for name in falling.names if name.endswith(".force.z") and name[:-8] not in ball.joints)
    while falling[f"{contact}.force.z"] == 0.0 and falling.time < 2.0:
        falling.step()
    assert falling.element_force(contact)[5] == pytest.approx(falling[f"{contact}.force.z"], rel=1e-9) != 0.0


def test_method_and_step_change_on_the_way() -> None:
    model = flexura.load(MODELS / "controlled_arm.toml")
    channels = ["motor.angle", "servo.output.1", "energy.balance"]
    straight = model.simulator(channels=channels, simulation={"relative_tolerance": 1e-9, "absolute_tolerance": 1e-11})
    changed = model.simulator(channels=channels, simulation={"relative_tolerance": 1e-9, "absolute_tolerance": 1e-11})
    for sim in (straight, changed):
        sim.advance_to(0.5)
    changed.change(method="rk4", step=2e-4)
    assert changed.method == "rk4" and changed.time == 0.5
    for sim in (straight, changed):
        sim.advance_to(1.0)
    # The servo goes on sampling at its instants, the energy balance goes on counting.
    assert changed.values == pytest.approx(straight.values, rel=1e-5, abs=1e-6)
    changed.change(step=1e-4)
    with pytest.raises(flexura.ModelError, match="step"):
        changed.change(step=-1.0)
    with pytest.raises(flexura.ModelError, match="unknown|spectral"):
        changed.change(spectral=0.5)
    with pytest.raises(flexura.ModelError, match="loops"):
        changed.change(method="trapezoidal", step=1e-3, formulation="topological")
    assert changed.method == "rk4"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # reactions of a plane loop in space
        loop = flexura.load(MODELS / "four_bar.toml", simulation=IMPLICIT).simulator()
    loop.change(method="trapezoidal", step=1e-3, formulation="global")
    loop.step()


def test_mistakes_are_named() -> None:
    model = flexura.load(MODELS / "flexible_arm.toml")
    with pytest.raises(ValueError, match="`shoulder.effort` is no input: joint `shoulder` follows a motion"):
        model.simulator(["shoulder.effort"])
    with pytest.raises(ValueError, match="no input is called `nobody.effort`; inputs are elbow.effort"):
        model.simulator(["nobody.effort"])
    with pytest.raises(ValueError, match="no channel matches"):
        model.simulator(channels=["nothing"])
    sim = model.simulator([])
    with pytest.raises(ValueError, match="not of this simulator"):
        sim.step({"elbow.effort": 1.0})
    free = model.simulator()
    with pytest.raises(ValueError, match="cannot be NaN"):
        free.step({"elbow.effort": float("nan")})
    with pytest.raises(ValueError, match="inputs has 2 entries"):
        free.step([1.0, 2.0])
    free.step()
    with pytest.raises(ValueError, match="cannot go to"):
        free.advance_to(0.0)
    with pytest.raises(ValueError, match="a step of 0 s"):
        model.simulator(step=0.0)
    with pytest.raises(KeyError, match="measure"):
        free["nothing"]
    with pytest.raises(KeyError, match='no body "boom"; there are'):
        model.body("boom")
    with pytest.raises(KeyError, match="no frame of fore"):
        model.body("fore").frame("foot")
    with pytest.raises(KeyError, match="no joint"):
        model.joint("knee")


def test_laws_in_python_are_called_and_their_faults_come_out() -> None:
    def law(time: float, errors: np.ndarray, memory: np.ndarray) -> float:
        if time > 0.05:
            raise RuntimeError("no more")
        return 2.0

    model = flexura.load(MODELS / "controlled_arm.toml", controllers={"servo": law})
    sim = model.simulator(channels=["servo.output.1"], step=0.04)
    assert sim.step()[0] == 2.0
    with pytest.raises(RuntimeError, match="no more"):
        sim.step()


def test_an_event_that_stops_is_where_the_run_rests() -> None:
    model = flexura.load(MODELS / "pendulum.toml")
    text = model.text + '\n[[simulation.event]]\nname = "low"\nchannel = "hinge.angle"\nvalue = 1.0\naction = "stop"\n'
    stopping = flexura.loads(text)
    whole = flexura.simulate(stopping)
    sim = stopping.simulator(channels=["hinge.angle"])
    while sim.stopped_by is None:
        sim.step()
    assert sim.stopped_by == "low" and sim.events[0][0] == "low"
    assert sim.time == pytest.approx(whole.outcome["end_time"], abs=1e-6)
    assert sim["hinge.angle"] == pytest.approx(1.0, abs=1e-6) and sim.q[0] == pytest.approx(1.0, abs=1e-6)
    sim.step()  # may go on
    assert sim["hinge.angle"] > 1.0


def test_pace_and_batches() -> None:
    model = flexura.load(MODELS / "pendulum.toml")
    sim = model.simulator(step=0.01)
    report = sim.pace(0.2, rate=2.0)
    assert report.steps == 20 and sim.time == pytest.approx(0.2) and report.worst_cost >= report.percentile(50) > 0.0
    hurried = model.simulator(step=0.01).pace(0.1, rate=1e9)
    assert hurried.late == 10 and hurried.worst_lateness > 0.0
    several = [model.simulator(["hinge.effort"]) for _ in range(5)]
    efforts = np.linspace(-1.0, 1.0, 5)[:, None]
    for _ in range(20):
        assert flexura.step_all(several, efforts, threads=3) == [None] * 5
    for sim, effort in zip(several, efforts):
        alone = model.simulator(["hinge.effort"])
        for _ in range(20):
            alone.step(effort)
        assert np.array_equal(alone.values, sim.values)
