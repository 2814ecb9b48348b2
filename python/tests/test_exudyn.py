"""Files of Exudyn: structures and reduced bodies in and out, and files that are programs refused.

The files are written here as Exudyn 1.13 writes them (its ``FEM.py``); ``scripts/exudyn_exchange.py`` has it write and read them itself.
"""

from __future__ import annotations

import os
import pathlib
import pickle
from typing import Any

import numpy as np
import pytest

import flexura
from flexura import _body_file, _plain
from hexahedra import Block, block, held_modes, skew, surface

MODEL = """
[model]
gravity = [0, 0, -9.81]
[[body]]
name = "beam"
fe = "{file}"
[[joint]]
name = "{kind}"
type = "{kind}"
between = ["ground.origin", "beam.left"]
{more}
[simulation]
end = 0.5
method = "trapezoidal"
step = 0.001
output_interval = 0.01
"""


def interface(part: Block) -> dict[str, Any]:
    """The data of a FEMinterface."""
    sets = [{"Name": name, "NodeNumbers": nodes, "NodeWeights": np.full(len(nodes), 1 / len(nodes))} for name, nodes in (("left", part.left), ("right", part.right))]
    values, basis = held_modes(part, 6)
    return {
        "metaData": {"source": "test"},
        "nodes": {"Position": part.nodes},
        "elements": [{"Name": "beam", "Hex8": part.elements}],
        "massMatrix": part.mass,
        "stiffnessMatrix": part.stiffness,
        "surface": [{"Name": "all", "Trigs": surface(part.elements)}],
        "nodeSets": sets,
        "elementSets": [],
        "modeBasis": {"matrix": basis, "type": "NormalModes"},
        "eigenValues": values,
        "postProcessingModes": {},
    }


def save_interface(path: pathlib.Path, part: Block, protocol: int = 4) -> pathlib.Path:
    """As FEMinterface.SaveToFile does, by the ending."""
    data = interface(part)
    if path.suffix == ".npz":
        np.savez(path, **data, fileVersion=4, type="FEMinterface")
    elif path.suffix == ".pkl":
        path.write_bytes(pickle.dumps({**data, "fileVersion": 4, "type": "FEMinterface"}, protocol=protocol))
    else:
        triplets = {}
        for key in ("massMatrix", "stiffnessMatrix"):
            matrix = data[key].tocoo()
            triplets[key] = np.stack([matrix.row, matrix.col, matrix.data], 1)
        with open(path, "wb") as file:
            np.save(file, np.array([4]))
            np.save(file, data["nodes"], allow_pickle=True)
            np.save(file, np.array(data["elements"], dtype=object), allow_pickle=True)
            np.save(file, {**triplets, "type": "sparseTriplets"}, allow_pickle=True)
            for key in ("surface", "nodeSets", "elementSets", "modeBasis", "eigenValues", "postProcessingModes", "metaData"):
                np.save(file, data[key], allow_pickle=True)
    return path


def reduced(part: Block, basis: Any) -> dict[str, Any]:
    """The terms of ObjectFFRFreducedOrderInterface, from whole matrices."""
    n, nodes = basis.shape[1], len(part.nodes)
    mass, stiffness = part.mass.toarray(), part.stiffness.toarray()
    shift = np.kron(np.ones((nodes, 1)), np.eye(3))
    turn = np.concatenate([skew(place) for place in part.nodes])
    turned = np.concatenate([np.concatenate([skew(basis[3 * k : 3 * k + 3, r]) for k in range(nodes)]) for r in range(n)], axis=1)
    total = (shift.T @ mass @ shift)[0, 0]
    centre = shift.T @ mass @ part.nodes.ravel() / total
    return {
        "modeBasis": basis,
        "trigList": surface(part.elements),
        "postProcessingModes": {},
        "massMatrixReduced": basis.T @ mass @ basis,
        "stiffnessMatrixReduced": basis.T @ stiffness @ basis,
        "infoList": np.array([n, nodes, 3, 4, 7, 7 + n]),
        "rigidBodyNodeType": "NodeType.RotationEulerParameters",
        "xRef": part.nodes.ravel(),
        "inertiaLocal": turn.T @ mass @ turn,
        "Mtt": total * np.eye(3),
        "totalMass": total,
        "chiU": centre,
        "chiUtilde": skew(centre),
        "mPsiTildePsi": turned.T @ mass @ basis,
        "mPsiTildePsiTilde": turned.T @ mass @ turned,
        "mPhitTPsi": shift.T @ mass @ basis,
        "mPhitTPsiTilde": shift.T @ mass @ turned,
        "mXRefTildePsi": turn.T @ mass @ basis,
        "mXRefTildePsiTilde": turn.T @ mass @ turned,
    }


def load_model(folder: pathlib.Path, file: str, kind: str = "free", more: str = "") -> flexura.Model:
    path = folder / f"{kind}.toml"
    path.write_text(MODEL.format(file=file, kind=kind, more=more), encoding="utf-8")
    return flexura.load(path)


def test_structures_are_reduced_alike_from_every_kind_of_file(tmp_path: pathlib.Path) -> None:
    part = block()
    known = np.sqrt(held_modes(part, 4)[0]) / (2 * np.pi)
    bodies = []
    for name, protocol in (("a.npz", 4), ("b.npy", 4), ("c.pkl", 2), ("d.pkl", 4), ("e.pkl", 5)):
        path = save_interface(tmp_path / name, part, protocol)
        body = flexura.import_exudyn(path, {"left": "left"}, method="clamped-free", modes=4, output=tmp_path / f"{name}.fxb")
        assert np.isclose(body.total_mass, part.total_mass, rtol=1e-9)
        # The left node set moves as one: held, as in the modes of the whole matrices.
        assert np.allclose(body.frequencies, known, rtol=1e-7)
        bodies.append(body)
    for body in bodies[1:]:
        assert np.allclose(body.frequencies, bodies[0].frequencies, rtol=1e-12)
    every = flexura.import_exudyn(tmp_path / "a.npz", method="clamped-free", modes=4)
    # The right end moves as one piece too: a little stiffer.
    assert (every.frequencies > known).all() and np.allclose(every.frequencies, known, rtol=1e-4)
    chosen = flexura.import_exudyn(tmp_path / "a.npz", {"tip": "right", "root": part.left}, reference="root", modes=2)
    assert chosen.static_shapes == 6
    with pytest.raises(ValueError, match="no node set is called `middle`: there are left, right"):
        flexura.import_exudyn(tmp_path / "a.npz", {"x": "middle"})


@pytest.mark.filterwarnings("ignore::flexura.ModelWarning")
@pytest.mark.parametrize("ending", ["npz", "npy", "pkl"])
def test_reduced_bodies_have_the_mass_matrix_of_their_nodes(tmp_path: pathlib.Path, ending: str) -> None:
    part = block()
    values, basis = held_modes(part, 5)
    data = reduced(part, basis)
    path = tmp_path / f"cms.{ending}"
    if ending == "npz":
        np.savez(path, **data, fileVersion=1, type="ObjectFFRFreducedOrderInterface")
    elif ending == "pkl":
        path.write_bytes(pickle.dumps({**data, "fileVersion": 1}))
    else:
        with open(path, "wb") as file:
            np.save(file, np.array([1]))
            for value in data.values():
                np.save(file, value, allow_pickle=True)
    frames = {"left": part.left, "right": part.right}
    body = flexura.import_exudyn(path, frames, output=tmp_path / "cms.fxb")
    assert np.allclose(body.frequencies, np.sqrt(values) / (2 * np.pi), rtol=1e-9)
    assert np.isclose(body.total_mass, part.total_mass, rtol=1e-9)
    assert 0.5 < body.carried[1] < 1.0
    model = load_model(tmp_path, "cms.fxb")
    # At random deformations, against velocities of all nodes: v + ω × (x + φη) + φη̇.
    rng = np.random.default_rng(4)
    for _ in range(3):
        eta = 0.02 * rng.normal(size=5) * np.array([1, 1, 0.3, 0.3, 0.1])
        found = mass_matrix(model, eta)
        moved = (part.nodes.ravel() + basis @ eta).reshape(-1, 3)
        rows = np.concatenate([np.hstack([-skew(place), np.eye(3)]) for place in moved])
        whole = np.hstack([basis, rows])
        known = whole.T @ part.mass @ whole
        assert np.abs(found - known).max() < 1e-10 * np.abs(known).max()


def mass_matrix(model: flexura.Model, eta: Any) -> Any:
    """Of modes, spin and velocity, at a deformation."""
    state = model.initial_state()[0].copy()
    state[: len(eta)] = eta
    return np.asarray(model.mass_matrix(state))


@pytest.mark.filterwarnings("ignore::flexura.ModelWarning")
@pytest.mark.parametrize("ending", ["npz", "npy"])
def test_bodies_go_out_and_come_back(tmp_path: pathlib.Path, ending: str) -> None:
    part = block()
    cells = [("hexahedron", part.elements)]
    stuff = {"young": part.young, "poisson": part.poisson, "density": part.density}
    ends = {"left": part.left, "right": part.right}
    keys = {"reference": "left", "method": "craig-bampton", "modes": 3}
    body = flexura.reduce_mesh((part.nodes, cells), ends, stuff, output=tmp_path / "own.fxb", stiffening=False, **keys)
    out = flexura.export_exudyn(tmp_path / "own.fxb", tmp_path / f"out.{ending}")
    assert out.left_out == ["stresses"] and [len(nodes) for nodes in out.nodes.values()] == [6, 6]
    data = flexura.read_exudyn(tmp_path / f"out.{ending}")
    assert data["modeBasis"].shape == (len(data["xRef"]), 9) and len(data["trigList"]) > 50
    back = flexura.import_exudyn(tmp_path / f"out.{ending}", out.nodes, output=tmp_path / "back.fxb")
    assert np.isclose(back.total_mass, body.total_mass, rtol=1e-14)
    first, second = (_body_file.read_body(tmp_path / f"{name}.fxb") for name in ("own", "back"))
    for key, value in vars(first.inertia).items():
        scale = np.abs(value).max()
        assert np.abs(getattr(second.inertia, key) - value).max() <= 1e-12 * scale, key
    frames = {frame.name: frame for frame in second.frames}
    for frame in first.frames:
        assert np.allclose(frames[frame.name].translations, frame.translations, atol=1e-12)
        assert np.allclose(frames[frame.name].rotations, frame.rotations, atol=1e-9)
    # The same swing, whichever way the body came.
    hinge = 'axis = [0, 1, 0]'
    names = ["revolute.angle", "beam.eta.*"]
    runs = [flexura.simulate(load_model(tmp_path, f"{name}.fxb", "revolute", hinge), channels=names, picture=False) for name in ("own", "back")]
    assert np.ptp(runs[0]["revolute.angle"]) > 1.0 and np.ptp(runs[0]["beam.eta.3"]) > 1e-4
    for name in runs[0].names:
        assert np.abs(runs[1][name] - runs[0][name]).max() < 1e-8 * max(1.0, np.abs(runs[0][name]).max()), name


def test_what_came_in_goes_out_with_every_term(tmp_path: pathlib.Path) -> None:
    """All terms of a file of whole matrices, the skew parts too, which no body here keeps as such."""
    part = block()
    data = reduced(part, held_modes(part, 5)[1])
    flexura.import_exudyn(save(tmp_path, data), {"left": part.left}, output=tmp_path / "body.fxb")
    flexura.export_exudyn(tmp_path / "body.fxb", tmp_path / "out.npz")
    found = flexura.read_exudyn(tmp_path / "out.npz")
    for key in (name for name in data if name[0] == "m" or name in ("inertiaLocal", "stiffnessMatrixReduced", "chiUtilde", "Mtt", "chiU")):
        if key != "modeBasis":
            assert np.abs(found[key] - data[key]).max() < 1e-13 * np.abs(data[key]).max(), key


def test_second_order_displacements_and_node_masses_are_refused(tmp_path: pathlib.Path) -> None:
    part = block((4, 1, 1))
    stuff = {"young": part.young, "poisson": part.poisson, "density": part.density}
    ends = {"left": part.left, "right": part.right}
    mesh = (part.nodes, [("hexahedron", part.elements)])
    flexura.reduce_mesh(mesh, ends, stuff, output=tmp_path / "bent.fxb", modes=2)
    with pytest.raises(ValueError, match="`stiffening = false`"):
        flexura.export_exudyn(tmp_path / "bent.fxb", tmp_path / "out.npz")
    with pytest.raises(ValueError, match="end in .npz or .npy"):
        flexura.export_exudyn(tmp_path / "bent.fxb", tmp_path / "out.hdf5")
    (tmp_path / "torn.fxb").write_bytes((tmp_path / "bent.fxb").read_bytes()[:-1])
    with pytest.raises(ValueError, match="damaged"):
        flexura.export_exudyn(tmp_path / "torn.fxb", tmp_path / "out.npz")


def test_body_files_keep_every_bit(tmp_path: pathlib.Path) -> None:
    part = block((4, 1, 1))
    stuff = {"young": part.young, "poisson": part.poisson, "density": part.density}
    flexura.reduce_mesh((part.nodes, [("hexahedron", part.elements)]), {"left": part.left}, stuff, output=tmp_path / "a.fxb", modes=2)
    _body_file.write_sections(tmp_path / "b.fxb", list(_body_file.read_sections(tmp_path / "a.fxb").items()))
    assert (tmp_path / "a.fxb").read_bytes() == (tmp_path / "b.fxb").read_bytes()


class Command:
    """What a harmful pickle calls when it is loaded."""

    def __init__(self, path: pathlib.Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return os.mkdir, (str(self.path),)


def test_files_that_are_programs_are_refused(tmp_path: pathlib.Path) -> None:
    made = tmp_path / "harm"
    harm = {"massMatrix": Command(made), "nodes": {}}
    np.savez(tmp_path / "a.npz", **{key: np.array(value, dtype=object) for key, value in harm.items()})
    (tmp_path / "b.pkl").write_bytes(pickle.dumps(harm))
    with open(tmp_path / "c.npy", "wb") as file:
        np.save(file, np.array([4]))
        np.save(file, np.array(harm, dtype=object), allow_pickle=True)
    for name in ("a.npz", "b.pkl", "c.npy"):
        with pytest.raises(ValueError, match=r"asks for `\w+.mkdir`, which is no plain data"):
            flexura.import_exudyn(tmp_path / name)
        assert not made.exists()
    with np.load(tmp_path / "a.npz", allow_pickle=True) as loaded:
        loaded["massMatrix"]
    assert made.exists(), "NumPy itself runs it"


def test_stand_ins_cannot_be_changed_and_bombs_do_not_go_off(tmp_path: pathlib.Path) -> None:
    import io

    # GLOBAL numpy ndarray, then BUILD with an attribute for the class itself.
    attack = b"cnumpy\nndarray\n(}S'made'\nI1\nstb."
    before = dict(vars(_plain._Array))
    with pytest.raises(_plain.NotPlain):
        _plain.load_pickle(io.BytesIO(attack))
    assert dict(vars(_plain._Array)) == before
    bomb: list[Any] = []
    for _ in range(35):
        bomb = [bomb, bomb]
    with pytest.raises(_plain.NotPlain, match="entries|deeper"):
        _plain.load_pickle(io.BytesIO(pickle.dumps(bomb)))
    # One place of a memo far out: a gigabyte is set aside by a pickle of nine bytes.
    with pytest.raises(_plain.NotPlain, match="a memo with a place"):
        _plain.load_pickle(io.BytesIO(b"\x80\x04]r\xff\xff\xff\x0f."))
    # Text that is no bytes, and a head that is no literal.
    with pytest.raises(_plain.NotPlain, match="no array of NumPy"):
        _plain.load_array(io.BytesIO(b"\x93NUMPY\x01\x00\x08\x00{'descr'\n"))
    from scipy import sparse

    wrong = sparse.csr_matrix(np.eye(3))
    wrong.indices[1] = 1_000_000
    with pytest.raises(_plain.NotPlain, match="places outside"):
        _plain.load_pickle(io.BytesIO(pickle.dumps(wrong)))
    plain = {"a": [1, 2.5, "x", None, True], "b": np.arange(6.0).reshape(2, 3).T, "c": np.float64(2.0), "d": sparse.csc_matrix(np.eye(2))}
    for protocol in (2, 3, 4, 5):
        found = _plain.load_pickle(io.BytesIO(pickle.dumps(plain, protocol=protocol)))
        assert found["a"] == plain["a"] and (found["b"] == plain["b"]).all() and found["c"] == 2.0
        assert (found["d"].toarray() == np.eye(2)).all()


def test_other_files_are_refused_by_name(tmp_path: pathlib.Path) -> None:
    part = block((3, 1, 1))
    data = reduced(part, held_modes(part, 2)[1])

    def refused(words: str, frames: Any = None, **other: Any) -> None:
        np.savez(tmp_path / "x.npz", **{**data, **other})
        with pytest.raises(ValueError, match=words):
            flexura.import_exudyn(tmp_path / "x.npz", frames)

    refused("`mPhitTPsi` should be finite numbers of shape", mPhitTPsi=np.zeros((2, 3)))
    refused("not symmetric", massMatrixReduced=np.array([[1.0, 0.1], [0.0, 1.0]]))
    refused("not positive definite", massMatrixReduced=1e-9 * data["massMatrixReduced"])
    refused("has no node sets", {"left": "left"})
    refused("give nodes from 0 to 15", {"left": [16]})
    refused("rows of three or six nodes", trigList=np.array([[0, 1, 99]]))
    for key in ("trigList", "xRef"):
        np.savez(tmp_path / "x.npz", **{other: value for other, value in data.items() if other != key})
        with pytest.raises(ValueError, match=f"has no `{key}`"):
            flexura.import_exudyn(tmp_path / "x.npz")
    with pytest.raises(ValueError, match="modes: the file holds a body that is reduced already"):
        np.savez(tmp_path / "x.npz", **data)
        flexura.import_exudyn(tmp_path / "x.npz", {}, modes=3)
    with pytest.raises(ValueError, match="save HDF5 files as .npz"):
        flexura.import_exudyn(tmp_path / "x.hdf5")
    np.savez(tmp_path / "x.npz", other=np.zeros(3))
    with pytest.raises(ValueError, match="is no file of Exudyn's"):
        flexura.import_exudyn(tmp_path / "x.npz")
    single = flexura.import_exudyn(save(tmp_path, data), {"tip": 0})
    assert any("does not turn with the modes" in notice for notice in single.notices)


def save(folder: pathlib.Path, data: dict[str, Any]) -> pathlib.Path:
    np.savez(folder / "good.npz", **data)
    return folder / "good.npz"
