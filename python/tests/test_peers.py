"""What scripts/compare_peers compares: the models it writes say what its lists of bodies say, and it picks the quickest within an error."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np
import pytest

import flexura

from places import ROOT

# Processor times of other programs are told by this module of Unix.
pytest.importorskip("resource")
sys.path.insert(0, str(ROOT / "scripts/peers"))

import beams  # noqa: E402
import trees  # noqa: E402


def mass_of_hinges(bodies: list[Any]) -> np.ndarray:
    """Mass matrix of the hinges at zero angles, where all frames are parallel: Σ m (a × r)·(b × r) + a·I b over what both move."""
    places, moving = np.zeros((len(bodies), 3)), np.zeros((len(bodies), len(bodies)), dtype=bool)
    for k, body in enumerate(bodies):
        places[k] = body.place
        if body.parent >= 0:
            places[k] += places[body.parent]
            moving[k] = moving[body.parent]
        moving[k, k] = True
    centers = places + [body.center for body in bodies]
    mass = np.zeros((len(bodies), len(bodies)))
    for k, body in enumerate(bodies):
        hinges = [j for j in np.flatnonzero(moving[k]) if bodies[j].axis is not None]
        for a in hinges:
            for b in hinges:
                arms = [np.cross(bodies[j].axis, centers[k] - places[j]) for j in (a, b)]
                turning = np.dot(np.array(bodies[a].axis) * body.inertia, bodies[b].axis)
                mass[a, b] += body.mass * arms[0] @ arms[1] + turning
    hinges = [k for k, body in enumerate(bodies) if body.axis is not None]
    return mass[np.ix_(hinges, hinges)]


@pytest.mark.parametrize("bodies", [trees.chain(7), trees.humanoid()], ids=["chain", "humanoid"])
def test_trees_written_for_peers_have_the_mass_of_their_lists(bodies: list[Any]) -> None:
    model = flexura.loads(trees.flexura(bodies, 1e-5, 10))
    q, _ = model.initial_state()
    names = list(model.coordinate_names)
    q[[names.index(f"j{k}.angle") for k, body in enumerate(bodies) if body.axis is not None]] = 0.0
    rates = list(model.speed_names)
    places = [rates.index(f"j{k}.rate") for k, body in enumerate(bodies) if body.axis is not None]
    found = model.mass_matrix(q)[np.ix_(places, places)]
    np.testing.assert_allclose(found, mass_of_hinges(bodies), rtol=0, atol=1e-12 * np.abs(found).max())


def test_a_beam_for_peers_vibrates_like_a_clamped_bar() -> None:
    beam = beams.body(10)
    shapes, masses = np.array(beam["shapes"]), np.array(beam["masses"])
    mass = np.einsum("n,nia,nib->ab", masses, np.swapaxes(shapes, 1, 2), np.swapaxes(shapes, 1, 2))
    found = np.sqrt(np.array(beam["stiffness"]) / np.diag(mass)) / (2 * math.pi)
    # Bending of Bernoulli's beam, root²/2π √(EI/ρA) / L², towards z and towards y; masses at 13 stations and rotary inertia tell in the
    # second digit.
    speed = math.sqrt(beams.YOUNG / beams.DENSITY)
    bending = [root**2 / (2 * math.pi) * speed * edge / math.sqrt(12) for edge in (beams.HEIGHT, beams.WIDTH) for root in beams.ROOTS[:2]]
    np.testing.assert_allclose(found[[0, 1, 4, 5]], bending, rtol=0.02)
    # Torsion turns the polar inertia of the bar, half of it by a quarter of a sine.
    polar = beams.DENSITY * beams.WIDTH * beams.HEIGHT * (beams.WIDTH**2 + beams.HEIGHT**2) / 12
    np.testing.assert_allclose(mass[8, 8], 0.5 * polar, rtol=1e-12)


def test_the_model_of_a_chain_of_beams_is_read() -> None:
    model = flexura.loads(beams.model(beams.body(5), 3, beams.implicit(1e-3, 0.8)))
    assert model.speed_count == 3 * (1 + 5)
    # Straight and at rest, pulled at its end: the hinges turn about y and z in turn, with the force.
    q, v = model.initial_state()
    accelerations = dict(zip(model.speed_names, model.accelerations(q, v)))
    assert accelerations["j3.rate"] < 0.0 < accelerations["j2.rate"]


def test_the_quickest_method_within_an_error_is_taken() -> None:
    errors = {("Flexura", "long steps"): 5e-4, ("Flexura", "short steps"): 1e-5, ("Exudyn", "long steps"): 2e-4}
    times = {("Flexura", "long steps"): [1.0, 1.2], ("Flexura", "short steps"): [4.0, 3.0], ("Exudyn", "long steps"): [9.0, 12.0]}
    loose, middle, tight = beams.rows(5, (errors, times, 0.0))
    assert "1100 (long steps)" in loose and "| 9.5 (9.0–10.0) |" in loose
    assert "3500 (short steps)" in middle and "| 3.1 (2.2–4.0) |" in middle
    assert "reached by Flexura" in tight
