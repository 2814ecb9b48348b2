#!/usr/bin/env python3
"""The robot of crates/flexura-exchange/tests/data/arm.urdf as SDF, arm.sdf: the same motion, written otherwise in every place.

    python3 scripts/robot_sdf.py         needs NumPy and SciPy

Link frames are moved and turned at random, the model stands askew in the world, and poses are relative to links, frames or the model, in
radians, degrees or quaternions; joints sit beside the frames of their links and axes are expressed in other frames. Everything is computed
here from the URDF file by homogeneous matrices, nothing by Flexura; accelerations must be those that Pinocchio has for arm.urdf.
"""

import pathlib
import xml.etree.ElementTree as tree

import numpy as np
from scipy.spatial.transform import Rotation

FOLDER = pathlib.Path(__file__).parent.parent / "crates/flexura-exchange/tests/data"
PICTURES = {
    "column": '<visual name="v"><geometry><cylinder><radius>0.05</radius><length>0.3</length></cylinder></geometry></visual>'
    '<collision name="c"><geometry><plane/></geometry></collision>',
    "upper": '<visual name="v"><geometry><box><size>0.4 0.05 0.06</size></box></geometry></visual>',
    "counterweight": '<visual name="v"><geometry><sphere><radius>0.04</radius></sphere></geometry></visual>',
    "spinner": '<visual name="v"><geometry><mesh><uri>model://arm/spinner.dae</uri></mesh></geometry></visual>'
    '<sensor name="camera" type="camera"/>',
}


def matrix(place, turn):
    found = np.eye(4)
    found[:3, 3], found[:3, :3] = place, turn.as_matrix()
    return found


def origin(node):
    if node is None:
        return np.eye(4)
    place, turn = ([float(x) for x in node.get(key, "0 0 0").split()] for key in ("xyz", "rpy"))
    return matrix(place, Rotation.from_euler("xyz", turn))


def words(values):
    return " ".join(repr(float(value)) for value in values)


def pose(found, attributes="", form="radians"):
    turn = Rotation.from_matrix(found[:3, :3])
    turned = {
        "radians": lambda: turn.as_euler("xyz"),
        "degrees": lambda: turn.as_euler("xyz", degrees=True),
        "quaternion": lambda: turn.as_quat(),
    }[form]()
    more = {"radians": "", "degrees": ' degrees="true"', "quaternion": ' rotation_format="quat_xyzw"'}[form]
    return f"<pose{attributes}{more}>{words([*found[:3, 3], *turned])}</pose>"


def link_text(name, node, within, moved):
    """A link, whose pose in the model is `within[name]`."""
    relative = {"slider": ("mount", "quaternion"), "upper": ("column", "radians"), "spinner": ("slider", "radians")}
    relative["finger"] = ("slider", "degrees")
    base, form = relative.get(name, ("__model__", "radians"))
    base_pose = np.eye(4) if base == "__model__" else within[base]
    attributes = "" if name == "column" else f' relative_to="{base}"'
    lines = [f'    <link name="{name}">', "      " + pose(np.linalg.inv(base_pose) @ within[name], attributes, form)]
    inertial = node.find("inertial")
    keys = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
    if inertial is None:
        place, mass, values = "", "0", dict.fromkeys(keys, "0")
    else:
        place = pose(np.linalg.inv(moved) @ origin(inertial.find("origin")))
        mass, values = inertial.find("mass").get("value"), {key: inertial.find("inertia").get(key) for key in keys}
    inertia = "".join(f"<{key}>{value}</{key}>" for key, value in values.items())
    lines.append(f"      <inertial>{place}<mass>{mass}</mass><inertia>{inertia}</inertia></inertial>")
    lines += ["      " + PICTURES[name]] if name in PICTURES else []
    return lines + ["    </link>"]


def joint_text(node, within, moved):
    name, kind = node.get("name"), node.get("type")
    parent, child = (node.find(end).get("link") for end in ("parent", "child"))
    at = within[child] @ np.linalg.inv(moved[child])
    lines = [f'    <joint name="{name}" type="{kind}">']
    if name == "lift":
        lines.append("      " + pose(np.linalg.inv(within["column"]) @ at, ' relative_to="column"'))
    else:
        lines.append("      " + pose(np.linalg.inv(moved[child])))
    lines.append(f"      <parent>{'mount' if name == 'reach' else parent}</parent><child>{child}</child>")
    if kind != "fixed":
        written = node.find("axis")
        axis = np.array([1.0, 0, 0] if written is None else [float(x) for x in written.get("xyz").split()])
        frame = {"turn": ' expressed_in="__model__"', "grip": ' expressed_in="finger"'}.get(name, "")
        axis = at[:3, :3] @ axis if name == "turn" else axis
        axis = moved[child][:3, :3].T @ axis if name == "grip" else axis
        law, limit = node.find("dynamics"), node.find("limit")
        dynamics = "" if law is None else "".join(f"<{key}>{value}</{key}>" for key, value in law.items())
        ends = ("-1e16", "1e16", "-1") if limit is None else [limit.get(key) for key in ("lower", "upper", "effort")]
        limits = f"<lower>{ends[0]}</lower><upper>{ends[1]}</upper><effort>{ends[2]}</effort>"
        lines.append(f"      <axis><xyz{frame}>{words(axis)}</xyz>")
        lines.append(f"        <dynamics>{dynamics}</dynamics><limit>{limits}</limit></axis>")
    return lines + ["    </joint>"]


def main():
    rng = np.random.default_rng(29)
    root = tree.parse(FOLDER / "arm.urdf").getroot()
    joints = root.findall("joint")
    leading = {joint.find("child").get("link"): joint for joint in joints}

    def place(link):
        if link not in leading:
            return np.eye(4)
        joint = leading[link]
        return place(joint.find("parent").get("link")) @ origin(joint.find("origin"))

    model = matrix([0.3, -0.1, 0.2], Rotation.from_euler("xyz", [0.3, 0.1, -0.2]))
    links = {link.get("name"): link for link in root.findall("link")}
    moved = {name: matrix(0.1 * rng.normal(size=3), Rotation.from_rotvec(rng.normal(size=3))) for name in links}
    within = {name: np.linalg.inv(model) @ place(name) @ moved[name] for name in links}
    within["mount"] = within["upper"] @ moved["upper"]
    lines = ['<?xml version="1.0"?>', "<!-- The robot of arm.urdf, written otherwise by scripts/robot_sdf.py. -->", '<sdf version="1.9">']
    lines += ['  <model name="test arm" canonical_link="column">', "    " + pose(model)]
    lines.append(f'    <frame name="mount" attached_to="upper">{pose(moved["upper"])}</frame>')
    for name, node in links.items():
        lines += link_text(name, node, within, moved[name])
    lines.append('    <joint name="foot" type="fixed"><parent>world</parent><child>base_link</child></joint>')
    for joint in joints:
        lines += joint_text(joint, within, moved)
    lines += ['    <plugin name="p" filename="x.so"/>', "  </model>", "</sdf>", ""]
    (FOLDER / "arm.sdf").write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
