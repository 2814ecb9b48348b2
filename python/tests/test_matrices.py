"""Bodies from SciPy matrices, against analytic beams and the engine's own reduction."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest
import scipy.sparse as sparse

import flexura

LENGTH, WIDTH, HEIGHT, YOUNG, SHEAR, DENSITY, ELEMENTS = 1.0, 0.01, 0.02, 70e9, 26e9, 2700.0, 16


def bernoulli(length: float) -> tuple[np.ndarray, np.ndarray]:
    """Mass and stiffness of one Euler-Bernoulli beam element along x, consistent mass."""
    area, iz, iy = WIDTH * HEIGHT, HEIGHT * WIDTH**3 / 12, WIDTH * HEIGHT**3 / 12
    polar, torsion = iy + iz, 0.229 * HEIGHT * WIDTH**3
    mass, stiffness = np.zeros((12, 12)), np.zeros((12, 12))
    rod = np.array([[2, 1], [1, 2]]) / 6 * length * DENSITY
    bar = np.array([[1, -1], [-1, 1]]) / length
    for dof, m, k in ((0, area, YOUNG * area), (3, polar, SHEAR * torsion)):
        place = np.ix_([dof, dof + 6], [dof, dof + 6])
        mass[place] += m * rod
        stiffness[place] += k * bar
    l = length
    km = np.array([[12, 6 * l, -12, 6 * l], [6 * l, 4 * l * l, -6 * l, 2 * l * l], [-12, -6 * l, 12, -6 * l], [6 * l, 2 * l * l, -6 * l, 4 * l * l]])
    mm = np.array([[156, 22 * l, 54, -13 * l], [22 * l, 4 * l * l, 13 * l, -3 * l * l], [54, 13 * l, 156, -22 * l], [-13 * l, -3 * l * l, -22 * l, 4 * l * l]])
    for dofs, sign, inertia in (([1, 5, 7, 11], 1.0, iz), ([2, 4, 8, 10], -1.0, iy)):
        flip = np.diag([1, sign, 1, sign])
        place = np.ix_(dofs, dofs)
        stiffness[place] += flip @ km @ flip * YOUNG * inertia / l**3
        mass[place] += flip @ mm @ flip * DENSITY * area * l / 420
    return mass, stiffness


def beam() -> tuple[sparse.csr_matrix, sparse.csr_matrix, np.ndarray]:
    nodes = np.zeros((ELEMENTS + 1, 3))
    nodes[:, 0] = np.linspace(0, LENGTH, ELEMENTS + 1)
    size = 6 * len(nodes)
    mass, stiffness = sparse.lil_matrix((size, size)), sparse.lil_matrix((size, size))
    m, k = bernoulli(LENGTH / ELEMENTS)
    for element in range(ELEMENTS):
        place = slice(6 * element, 6 * element + 12)
        mass[place, place] += m
        stiffness[place, place] += k
    return mass.tocsr(), stiffness.tocsr(), nodes


def swing(fe: str | None, end: float) -> flexura.Result:
    """A clamped-root beam swinging about a horizontal axis under gravity, without foreshortening."""
    builder = flexura.ModelBuilder("swing")
    if fe is not None:
        builder.finite_elements("beam", fe)
        frames = ("beam.root", "beam.tip")
    else:
        builder.beam(
            "beam", length=LENGTH, density=DENSITY, young=YOUNG, shear=SHEAR,
            section={"area": WIDTH * HEIGHT, "inertia_y": WIDTH * HEIGHT**3 / 12, "inertia_z": HEIGHT * WIDTH**3 / 12,
                     "torsion": 0.229 * HEIGHT * WIDTH**3},
            boundary="clamped-free", bending_y=1, bending_z=1, rotary_inertia=False, foreshortening=False,
            frames={"tip": {"station": "tip"}},
        )
        frames = ("beam.origin", "beam.tip")
    builder.revolute("hinge", "ground.origin", frames[0], axis=[0, 1, 0], position=0.2, speed=1.0)
    builder.force("push", frames[1], force=[0, 0.5, 1.0])
    return flexura.simulate(builder.simulation(end=end, output_interval=0.01).build())


def test_frequencies_and_motion_of_a_beam(tmp_path: pathlib.Path) -> None:
    mass, stiffness, nodes = beam()
    file = tmp_path / "beam.fxb"
    body = flexura.reduce_matrices(
        mass, stiffness, nodes, reference=0, interfaces={"root": 0, "tip": ELEMENTS}, modes=2, output=file, method="clamped"
    )
    flexural = [1.8751040687**2 * np.sqrt(YOUNG * s**2 / 12 / DENSITY) / (2 * np.pi * LENGTH**2) for s in (WIDTH, HEIGHT)]
    np.testing.assert_allclose(body.frequencies, flexural, rtol=1e-5)
    assert body.total_mass == pytest.approx(DENSITY * LENGTH * WIDTH * HEIGHT, rel=1e-12)
    ours, theirs = swing(str(file), 0.5), swing(None, 0.5)
    # The same two shapes by elements and by their formula: equal to the error of 16 elements.
    scale = np.ptp(theirs["hinge.angle"])
    np.testing.assert_allclose(ours["hinge.angle"], theirs["hinge.angle"], atol=1e-4 * scale)
    tips = [r["beam.tip.position.y"] for r in (ours, theirs)]
    np.testing.assert_allclose(tips[0], tips[1], atol=2e-4 * np.abs(tips[1]).max())


def test_static_shapes_make_the_static_deflection_exact(tmp_path: pathlib.Path) -> None:
    mass, stiffness, nodes = beam()
    file = tmp_path / "beam.fxb"
    body = flexura.reduce_matrices(
        mass, stiffness, nodes, reference=0, interfaces={"root": 0, "tip": ELEMENTS}, modes=3, output=file
    )
    assert body.static_shapes == 6 and body.stiffness.shape == (9, 9)
    model = (
        flexura.ModelBuilder("loaded", gravity=[0, 0, 0])
        .finite_elements("beam", str(file))
        .weld("wall", "ground.origin", "beam.root")
        .force("tip", "beam.tip", force=[0, 0, 0.01])
        .build()
    )
    rest = flexura.static(model)
    run = flexura.simulate(model, end=1e-3, initial_state=(rest.q, rest.v))
    deflection = 0.01 * LENGTH**3 / (3 * YOUNG * WIDTH * HEIGHT**3 / 12)
    assert run["beam.tip.position.z"][0] == pytest.approx(deflection, rel=1e-6)


def test_wrong_matrices(tmp_path: pathlib.Path) -> None:
    mass, stiffness, nodes = beam()
    keys = {"reference": 0, "interfaces": {"tip": ELEMENTS}, "modes": 2, "output": tmp_path / "x.fxb"}
    held = stiffness.tolil()
    held[0, 0] += 1e9
    bad = mass.copy()
    bad.data[3] = np.nan
    lopsided = mass.tolil()
    lopsided[0, 7] += 1.0
    for m, k, n, more, words in [
        (mass, held, nodes, {}, "resists rigid"),
        (mass[:6, :6], stiffness, nodes, {}, "mass matrix is"),
        (bad, stiffness, nodes, {}, "not finite"),
        (lopsided, stiffness, nodes, {}, "not symmetric"),
        (mass, stiffness, nodes[:, :2], {}, "nodes must be"),
        (mass, stiffness, nodes, {"reference": 99}, "no node 99"),
        (mass, stiffness, nodes, {"modes": 0}, "modes = 0"),
        (mass, stiffness, nodes, {"method": "guess"}, "craig-bampton"),
    ]:
        with pytest.raises(ValueError, match=words):
            flexura.reduce_matrices(m, k, n, **{**keys, **more})
