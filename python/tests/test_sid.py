"""Standard Input Data by a reader of its own, written from the description of the format (Wallrapp 1994).

The blocks of a file are put together as the equations of motion have them, and the mass matrix of the model must come out.
"""

from __future__ import annotations

import pathlib
import re

import numpy as np
import pytest
from numpy.typing import NDArray

import flexura

Floats = NDArray[np.float64]
Blocks = dict[str, tuple[Floats, Floats]]

MODEL = """
[model]
gravity = [0, 0, 0]
[[body]]
name = "arm"
level = "consistent"
[body.beam]
length = 1.5
density = 2700
young = 70e9
poisson = 0.3
section = { rectangle = [0.03, 0.02] }
boundary = "clamped-free"
axial = 1
bending_y = 2
bending_z = 1
torsion = 1
damping = { kelvin_voigt = 1e-4 }
[[body.frame]]
name = "tip"
station = "tip"
[[joint]]
name = "base"
type = "free"
between = ["ground.origin", "arm.origin"]
"""


def read_sid(path: pathlib.Path) -> tuple[dict[str, float], Blocks, dict[str, Blocks]]:
    """Scalars, blocks of the body, and blocks of every node: (M0, M1) with M1[row, q, column]."""
    scalars: dict[str, float] = {}
    body: Blocks = {}
    nodes: dict[str, Blocks] = {}
    at, name, head = body, "", {}
    entries: list[tuple[list[int], float]] = []
    for line in path.read_text().splitlines()[1:]:
        word, _, value = (part.strip() for part in line.partition("="))
        if word == "new node":
            at = nodes.setdefault(value, {})
        elif word == "end node":
            at = body
        elif word in ("mass", "nelastq"):
            scalars[word] = float(value.replace("D", "E"))
        elif word in ("order", "nrow", "ncol", "nq", "nqn", "structure"):
            head[word] = int(value)
        elif re.match(r"m[01]\(", word):
            entries.append(([int(index) for index in word[3:-1].split(",")], float(value.replace("D", "E"))))
        elif head and word == f"end {name}":
            rows, columns, structure = head["nrow"], head["ncol"], head["structure"]
            constant = np.eye(rows, columns) if structure == 4 else np.zeros((rows, columns))
            linear = np.zeros((rows, head["nq"], columns))
            for index, number in entries:
                place = tuple(k - 1 for k in index)
                (constant if len(place) == 2 else linear)[place] = number
                if structure == 2 and len(place) == 2:
                    constant[place[::-1]] = number
            at[name] = constant, linear
            head, entries = {}, []
        elif not value and " " not in word:
            name = word
    return scalars, body, nodes


def skew(v: Floats) -> Floats:
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def tensor(six: Floats) -> Floats:
    xx, yy, zz, xy, xz, yz = six
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def mass_matrix(scalars: dict[str, float], body: Blocks, q: Floats) -> Floats:
    """Rows and columns: modes, rotation, translation. Second order of `mdCM` and `J` from `Ct` and `Oe`."""
    at = {name: constant + np.einsum("iqj,q->ij", linear, q) for name, (constant, linear) in body.items()}
    c2, oe1 = body["Ct"][1], body["Oe"][1]
    moment = at["mdCM"][:, 0] + 0.5 * np.einsum("rqj,r,q->j", c2, q, q)
    second = -np.einsum("rqk,r,q->k", oe1, q, q)  # xx, yy, zz, 2xy, 2yz, 2xz
    inertia = tensor(at["J"][:, 0]) + tensor(second[[0, 1, 2, 3, 5, 4]] * [1, 1, 1, 0.5, 0.5, 0.5])
    n = len(q)
    whole = np.zeros((n + 6, n + 6))
    whole[:n, :n] = at["Me"]
    whole[:n, n : n + 3], whole[n : n + 3, :n] = at["Cr"], at["Cr"].T
    whole[:n, n + 3 :], whole[n + 3 :, :n] = at["Ct"], at["Ct"].T
    whole[n : n + 3, n : n + 3] = inertia
    whole[n : n + 3, n + 3 :] = skew(moment)
    whole[n + 3 :, n : n + 3] = skew(moment).T
    whole[n + 3 :, n + 3 :] = scalars["mass"] * np.eye(3)
    return whole


@pytest.fixture
def written(tmp_path: pathlib.Path) -> tuple[flexura.Model, pathlib.Path, list[str]]:
    model = flexura.loads(MODEL)
    path = tmp_path / "arm.SID_FEM"
    return model, path, flexura.export_body(model, "arm", path)


def test_another_reader_finds_the_mass_matrix(
    written: tuple[flexura.Model, pathlib.Path, list[str]],
) -> None:
    model, path, left_out = written
    assert any("modal mass" in what for what in left_out)
    scalars, body, nodes = read_sid(path)
    n = int(scalars["nelastq"])
    assert n == 5 and list(nodes) == ["tip"]
    rng = np.random.default_rng(5)
    for _ in range(3):
        eta = 0.01 * rng.normal(size=n)
        q = np.concatenate([eta, [1.0, 0, 0, 0, 0, 0, 0]])
        found = model.mass_matrix(q)
        expected = mass_matrix(scalars, body, eta)
        assert np.abs(found - expected).max() < 1e-13 * np.abs(expected).max()
    # Stiffening is there: a file without it would miss this.
    assert np.abs(body["Ct"][1]).max() > 0.1


def test_forces_of_the_file_are_those_of_the_model(
    written: tuple[flexura.Model, pathlib.Path, list[str]],
) -> None:
    model, path, _ = written
    scalars, body, _ = read_sid(path)
    n = int(scalars["nelastq"])
    rng = np.random.default_rng(6)
    eta, rate, omega = 0.01 * rng.normal(size=n), rng.normal(size=n), rng.normal(size=3)
    q = np.concatenate([eta, [1.0, 0, 0, 0, 0, 0, 0]])
    v = np.concatenate([rate, omega, np.zeros(3)])
    bias = model.inverse_dynamics(q, v, np.zeros(n + 6))[:n]
    at = {name: constant + np.einsum("iqj,q->ij", linear, eta) for name, (constant, linear) in body.items()}
    x, y, z = omega
    squares = np.array([x * x, y * y, z * z, x * y, y * z, x * z])
    gyroscopic = body["Ge"][0].reshape(n, n, 3)
    expected = at["Oe"] @ squares + np.einsum("rsj,s,j->r", gyroscopic, rate, omega)
    expected = expected + at["Ke"] @ eta + at["De"] @ rate
    assert np.abs(bias - expected).max() < 1e-12 * np.abs(expected).max()


def test_models_take_the_file(written: tuple[flexura.Model, pathlib.Path, list[str]]) -> None:
    model, path, _ = written
    head, _, tail = MODEL.partition('name = "arm"')
    text = f'{head}name = "arm"\nfe = "arm.SID_FEM"\n{tail[tail.index("[[joint]]"):]}'
    with pytest.warns(flexura.ModelWarning, match="level `consistent`"):
        again = flexura.loads(text, file_name=str(path.parent / "model.toml"))
    rng = np.random.default_rng(7)
    # Level `consistent` of a beam that twists loses its inertia at larger deflections.
    q = np.concatenate([5e-5 * rng.normal(size=5), [1.0, 0, 0, 0, 0, 0, 0]])
    v = rng.normal(size=11)
    one, other = model.accelerations(q, v), again.accelerations(q, v)
    assert np.abs(one - other).max() < 1e-11 * np.abs(one).max()


def test_refusals(written: tuple[flexura.Model, pathlib.Path, list[str]], pendulum: flexura.Model) -> None:
    model, path, _ = written
    with pytest.raises(ValueError, match="no body `leg`"):
        flexura.export_body(model, "leg", path)
    with pytest.raises(ValueError, match="rigid"):
        flexura.export_body(pendulum, "rod", path)
    with pytest.raises(OSError):
        flexura.export_body(model, "arm", path.parent / "none" / "arm.SID_FEM")
