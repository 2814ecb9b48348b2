"""Results and linear systems in formats of other programs, read back by readers that are not ours."""

from __future__ import annotations

import json
import pathlib
import re
import struct

import numpy as np
import pytest
import scipy.io

import flexura

from places import MODELS


@pytest.fixture(name="run")
def run_of_arm(tmp_path: pathlib.Path) -> pathlib.Path:
    path = tmp_path / "arm.fxr"
    flexura.simulate(flexura.load(MODELS / "controlled_arm.toml"), end=0.8, picture=True).save(path)
    return path


def test_matlab_files_are_read_by_scipy(run: pathlib.Path, tmp_path: pathlib.Path) -> None:
    known = flexura.open_result(run)
    flexura.export_result(run, tmp_path / "arm.mat", channels=["*.angle", "energy.*"])
    found = scipy.io.loadmat(tmp_path / "arm.mat")
    names = [str(name[0]) for name in found["names"][0]]
    units = [str(unit[0]) if len(unit) else "" for unit in found["units"][0]]
    assert (found["time"][:, 0] == known.time).all() and found["values"].shape == (len(known.time), len(names))
    assert "energy.total" in names and units[names.index("energy.total")] == "J"
    for column, name in enumerate(names):
        assert (found["values"][:, column] == known[name]).all(), name
    with pytest.raises(RuntimeError, match="exit code 2"):
        flexura.export_result(run, tmp_path / "arm.mat", channels=["nothing.*"])


def test_gltf_files_keep_poses_and_modal_coordinates(run: pathlib.Path, tmp_path: pathlib.Path) -> None:
    known = flexura.open_result(run)
    flexura.export_result(run, tmp_path / "arm.glb", every=2, scale=3.0)
    data = (tmp_path / "arm.glb").read_bytes()
    magic, version, length = struct.unpack_from("<4sII", data)
    assert (magic, version, length) == (b"glTF", 2, len(data))
    size, kind = struct.unpack_from("<I4s", data, 12)
    assert kind == b"JSON"
    document = json.loads(data[20 : 20 + size])
    binary = data[20 + size + 8 :]
    assert document["asset"]["version"] == "2.0" and len(document["buffers"]) == 1

    def numbers(accessor: int) -> np.ndarray:
        entry = document["accessors"][accessor]
        view = document["bufferViews"][entry["bufferView"]]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[entry["type"]]
        kinds = {5126: "<f4", 5125: "<u4"}
        values = np.frombuffer(binary, kinds[entry["componentType"]], entry["count"] * width, view["byteOffset"])
        return values.reshape(entry["count"], width)

    names = [node["name"] for node in document["nodes"]]
    frames = known.time[::2]
    seen = 0
    for channel in document["animations"][0]["channels"]:
        sampler = document["animations"][0]["samplers"][channel["sampler"]]
        body, path = names[channel["target"]["node"]], channel["target"]["path"]
        assert np.allclose(numbers(sampler["input"])[:, 0], frames, atol=1e-7)
        values = numbers(sampler["output"])
        if path == "translation":
            for axis in range(3):
                assert np.allclose(values[:, axis], known[f"{body}.position.{'xyz'[axis]}"][::2], atol=1e-6)
        elif path == "weights":
            targets = values.reshape(len(frames), -1)
            # The largest weight is one, its target as large as the deflection.
            eta = known[f"{body}.eta.1"][::2]
            assert np.allclose(targets[:, 0], eta / np.abs(eta).max(), atol=1e-6)
            seen += 1
        else:
            assert np.allclose(np.linalg.norm(values, axis=1), 1.0, atol=1e-6)
            assert (np.einsum("ij,ij->i", values[1:], values[:-1]) > 0).all(), "no jump from q to -q"
    assert seen > 0
    for mesh in document["meshes"]:
        for primitive in mesh["primitives"]:
            count = document["accessors"][primitive["attributes"]["POSITION"]]["count"]
            assert numbers(primitive["indices"]).max() < count


def test_modelica_records_hold_the_linear_system() -> None:
    model = flexura.load(MODELS / "controlled_arm.toml")
    system = flexura.linearize(model, inputs=["motor.effort"], outputs=["*.angle"])
    text = system.modelica("arm", "its start")
    assert text.startswith("record arm ") and text.rstrip().endswith("end arm;")
    for word, matrix in (("A", system.A), ("B", system.B), ("C", system.C), ("D", system.D)):
        rows, columns, body = re.search(rf"Real {word}\[(\d+), (\d+)\] = (.*?);", text, re.S).groups()  # type: ignore[union-attr]
        found = np.array(json.loads(body.replace("{", "[").replace("}", "]")))
        assert (int(rows), int(columns)) == matrix.shape and (found == matrix).all()
    assert f"nx = {len(system.states)} " in text and '"' + system.states[0] + '"' in text
