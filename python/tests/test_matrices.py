"""Bodies from SciPy matrices and from meshes of arrays, against analytic beams."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest
import scipy.sparse as sparse

import flexura

# Matrices hold no stresses: every model says so, and a run goes without stiffening on both sides.
pytestmark = pytest.mark.filterwarnings("ignore:.*no geometric stiffening:flexura.ModelWarning")

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
        mass, stiffness, nodes, {"root": 0, "tip": ELEMENTS}, modes=2, output=file, method="clamped-free"
    )
    np.testing.assert_allclose(body.frequencies, first_bending(), rtol=1e-5)
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
        mass, stiffness, nodes, {"root": 0, "tip": ELEMENTS}, modes=3, output=file
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


def test_wrong_matrices() -> None:
    mass, stiffness, nodes = beam()
    held = stiffness.tolil()
    held[0, 0] += 1e9
    bad = mass.copy()
    bad.data[3] = np.nan
    lopsided = mass.tolil()
    lopsided[0, 7] += 1.0
    ends = {"root": 0, "tip": ELEMENTS}
    for m, k, n, joints, more, words in [
        (mass, held, nodes, ends, {}, "rigid"),
        (mass[:6, :6], stiffness, nodes, ends, {}, "mass matrix is"),
        (mass, stiffness, nodes, ends, {"freedoms": "123"}, "stiffness matrix is"),
        (mass, stiffness, nodes, ends, {"freedoms": ["123456"]}, "1 entries for 17 nodes"),
        (bad, stiffness, nodes, ends, {}, "not finite"),
        (lopsided, stiffness, nodes, ends, {}, "not symmetric"),
        (mass, stiffness, nodes[:, :2], ends, {}, "nodes must be"),
        (mass, stiffness, nodes, {"root": 99}, {}, "nodes 0 to 16"),
        (mass, stiffness, nodes, {"root": "here"}, {}, "counted from zero"),
        (mass, stiffness, nodes, {"a": [0, 1], "b": [1, 2]}, {}, "another interface"),
        (mass, stiffness, nodes, ends, {"modes": -1}, "modes"),
        (mass, stiffness, nodes, ends, {"method": "guess"}, "craig-bampton"),
        (mass, stiffness, nodes, ends, {"mods": 3}, "did you mean"),
    ]:
        with pytest.raises(ValueError, match=words):
            flexura.reduce_matrices(m, k, n, joints, **more)


def block(cells: tuple[int, int, int], size: tuple[float, float, float]) -> tuple[np.ndarray, np.ndarray]:
    """Points and hexahedra of a box from the origin along x."""
    axes = [np.linspace(0, length, count + 1) for count, length in zip(cells, size)]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
    number = np.arange(len(grid)).reshape([count + 1 for count in cells])
    corner = [number[i : i + cells[0], j : j + cells[1], k : k + cells[2]].ravel() for i, j, k in
              [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]]
    return grid - [0, size[1] / 2, size[2] / 2], np.stack(corner, axis=1)


METAL = {"young": YOUNG, "poisson": 0.3, "density": DENSITY}


def first_bending() -> np.ndarray:
    """Frequencies of the first bending about z and y of the clamped beam (Hz)."""
    return np.array([1.8751040687**2 * np.sqrt(YOUNG * s**2 / 12 / DENSITY) / (2 * np.pi * LENGTH**2) for s in (WIDTH, HEIGHT)])


def test_solid_mesh_of_arrays(tmp_path: pathlib.Path) -> None:
    points, hexahedra = block((40, 1, 2), (LENGTH, WIDTH, HEIGHT))
    root, tip = np.flatnonzero(points[:, 0] == 0), np.flatnonzero(points[:, 0] == LENGTH)
    file = tmp_path / "bar.fxb"
    body = flexura.reduce_mesh(
        (points, {"hexahedron": hexahedra}), {"root": root, "tip": tip}, METAL, method="clamped-free", modes=2, output=file
    )
    # Elements exact in bending; the rest is shear, rotary inertia and the held width at the root.
    np.testing.assert_allclose(body.frequencies, first_bending(), rtol=0.01)
    assert body.total_mass == pytest.approx(DENSITY * LENGTH * WIDTH * HEIGHT, rel=1e-9)
    ours, theirs = swing(str(file), 0.3), swing(None, 0.3)
    scale = np.ptp(theirs["hinge.angle"])
    np.testing.assert_allclose(ours["hinge.angle"], theirs["hinge.angle"], atol=0.01 * scale)


def test_kinds_of_cells_agree() -> None:
    """The same bar as a line of beams, a strip of shells, and tetrahedra of second order from meshio."""
    import meshio

    points = np.zeros((21, 3))
    points[:, 0] = np.linspace(0, LENGTH, 21)
    lines = np.stack([np.arange(20), np.arange(1, 21)], axis=1)
    section = {"rectangle": [WIDTH, HEIGHT]}
    keys = {"method": "clamped-free", "modes": 2}
    beams = flexura.reduce_mesh((points, [("line", lines)]), {"root": 0, "tip": 20}, {**METAL, "section": section}, **keys)
    np.testing.assert_allclose(beams.frequencies, first_bending(), rtol=2e-3)
    damped = {**METAL, "section": section, "viscous": {"young": 1e7, "poisson": 0.1}}
    nodal = flexura.reduce_mesh((points, [("line", lines)]), {"root": 0, "tip": 20}, damped, method="all")
    assert nodal.unknowns == 120 and nodal.mass.shape == (120, 120)
    np.testing.assert_allclose(nodal.frequencies[:2], beams.frequencies, rtol=1e-5)
    # A strip in the x-z plane: bends about z as a plate, about y in its own plane.
    x, z = np.meshgrid(np.linspace(0, LENGTH, 41), [-HEIGHT / 2, HEIGHT / 2], indexing="ij")
    strip = np.stack([x.ravel(), 0 * x.ravel(), z.ravel()], axis=1)
    quads = np.array([[2 * i, 2 * i + 2, 2 * i + 3, 2 * i + 1] for i in range(40)])
    ends = {"root": [0, 1], "tip": [80, 81]}
    shells = flexura.reduce_mesh((strip, [("quad", quads)]), ends, {**METAL, "thickness": WIDTH}, **keys)
    assert shells.frequencies[0] == pytest.approx(first_bending()[0], rel=0.03)
    nodes, corners = block((20, 1, 1), (LENGTH, WIDTH, HEIGHT))
    mesh = meshio.Mesh(*second_order(nodes, corners))
    root, tip = np.flatnonzero(mesh.points[:, 0] == 0), np.flatnonzero(mesh.points[:, 0] == LENGTH)
    solids = flexura.reduce_mesh(mesh, {"root": root, "tip": tip}, METAL, **keys)
    np.testing.assert_allclose(solids.frequencies, first_bending(), rtol=0.02)


def second_order(points: np.ndarray, hexahedra: np.ndarray) -> tuple[np.ndarray, list[tuple[str, np.ndarray]]]:
    """Six tetrahedra of ten nodes in every hexahedron, nodes ordered as meshio and VTK do."""
    middles: dict[tuple[int, int], int] = {}
    places = list(points)

    def middle(a: int, b: int) -> int:
        key = (min(a, b), max(a, b))
        if key not in middles:
            middles[key] = len(places)
            places.append((points[a] + points[b]) / 2)
        return middles[key]

    cells = []
    for hexahedron in hexahedra.tolist():
        for path in ((1, 2), (2, 3), (3, 7), (7, 4), (4, 5), (5, 1)):
            a, b, c, d = hexahedron[0], hexahedron[path[0]], hexahedron[path[1]], hexahedron[6]
            edges = [(a, b), (b, c), (a, c), (a, d), (b, d), (c, d)]
            cells.append([a, b, c, d, *(middle(*edge) for edge in edges)])
    return np.array(places), [("tetra10", np.array(cells))]


def test_wrong_meshes() -> None:
    points, hexahedra = block((2, 1, 1), (LENGTH, WIDTH, HEIGHT))
    ends = {"root": [0, 1, 2, 3]}
    for mesh, joints, properties, words in [
        ((points, {"wedge": hexahedra}), ends, METAL, "type 'wedge'"),
        ((points, {"tetra": hexahedra}), ends, METAL, "rows of 4 nodes"),
        ((points, {"hexahedron": hexahedra + 99}), ends, METAL, "nodes 0 to 11"),
        ((points, {"hexahedron": hexahedra}), ends, [METAL, METAL], "2 entries for 1 blocks"),
        ((points, {"hexahedron": hexahedra}), ends, {"young": 1e9}, "poisson"),
        ((points, {"hexahedron": hexahedra}), {"root": 0}, METAL, "has no rotation"),
        ((points, {}), ends, METAL, "."),
    ]:
        with pytest.raises(ValueError, match=words):
            flexura.reduce_mesh(mesh, joints, properties)
