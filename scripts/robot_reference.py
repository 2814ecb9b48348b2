"""Accelerations of robots at random states by other programs, for crates/flexura-exchange/tests.

    pip install pin==4.1.0 mujoco==4.0.0
    python3 scripts/robot_reference.py

URDF by Pinocchio (package `pin`), MJCF by MuJoCo and, where it knows all tags of a file (no includes and frames), by Pinocchio too:
both must agree to 1e-10 before a number is written. The file robot_reference.json holds states and accelerations in Flexura's coordinates: quaternions scalar first, speeds of free joints angular
then linear, in axes of the body; of planar joints along the axes of the plane.
"""

import json
import pathlib

import mujoco
import numpy as np
import pinocchio as pin

FOLDER = pathlib.Path(__file__).parent.parent / "crates/flexura-exchange/tests/data"
STATES = 6
SPEED_OF_FRICTION = 1e-3  # the default of `friction_speed`


def skew_rotation(angle: float) -> np.ndarray:
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def random_quaternion(rng: np.random.Generator) -> np.ndarray:
    value = rng.normal(size=4)
    return value / np.linalg.norm(value)


def urdf_states(file: str, floating: bool, rng: np.random.Generator) -> list[dict]:
    path = str(FOLDER / file)
    model = pin.buildModelFromUrdf(path, pin.JointModelFreeFlyer()) if floating else pin.buildModelFromUrdf(path)
    laws = {}
    import xml.etree.ElementTree as tree

    for joint in tree.parse(path).getroot().findall("joint"):
        law = joint.find("dynamics")
        if law is not None:
            laws[joint.get("name")] = (float(law.get("damping", 0)), float(law.get("friction", 0)))
    data = model.createData()
    states = []
    for _ in range(STATES):
        q, v, tau = np.zeros(model.nq), rng.normal(size=model.nv), np.zeros(model.nv)
        joints = {}
        for index in range(1, model.njoints):
            joint, name = model.joints[index], model.names[index]
            name = "floating_base" if name == "root_joint" else name
            at, vt, nv = joint.idx_q, joint.idx_v, joint.nv
            kind = joint.shortname()
            if kind == "JointModelFreeFlyer":
                w, x, y, z = random_quaternion(rng)
                place = rng.normal(size=3)
                q[at : at + 7] = [*place, x, y, z, w]
                own = [w, x, y, z, *place]
            elif kind == "JointModelPlanar":
                angle, place = rng.normal(), rng.normal(size=2)
                q[at : at + 4] = [*place, np.cos(angle), np.sin(angle)]
                own = [*place, angle]
            elif joint.nq == 2:  # a turn without bounds, as cosine and sine
                angle = rng.normal()
                q[at : at + 2] = np.cos(angle), np.sin(angle)
                own = [angle]
            else:
                q[at] = rng.normal() * 0.7
                own = [q[at]]
            damping, friction = laws.get(name, (0.0, 0.0))
            speed = v[vt : vt + nv]
            tau[vt : vt + nv] = -damping * speed - friction * np.tanh(speed / SPEED_OF_FRICTION)
            joints[name] = (kind, own, vt, nv)
        a = pin.aba(model, data, q, v, tau)
        assert np.all(np.isfinite(a)), file
        state = {}
        for name, (kind, own, vt, nv) in joints.items():
            speed, acceleration = v[vt : vt + nv], a[vt : vt + nv]
            if kind == "JointModelFreeFlyer":
                speed, acceleration = np.r_[speed[3:], speed[:3]], np.r_[acceleration[3:], acceleration[:3]]
            elif kind == "JointModelPlanar":
                turn, rate = skew_rotation(own[2]), speed[2]
                across = np.array([-speed[1], speed[0]])
                acceleration = np.r_[turn @ (acceleration[:2] + rate * across), acceleration[2]]
                speed = np.r_[turn @ speed[:2], rate]
            state[name] = {"position": list(own), "speed": speed.tolist(), "acceleration": acceleration.tolist()}
        states.append(state)
    return states


def joint_name(model, index: int) -> str:
    """The name of a joint; of one without a name, that of its body and kind, bodies being counted from one."""
    body = int(model.jnt_bodyid[index])
    of_body = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_BODY, body) or f"body_{body}"
    kind = ("free", "ball", "slide", "hinge")[int(model.jnt_type[index])]
    return mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_JOINT, index) or f"{of_body}_{kind}"


def mjcf_states(file: str, combined: dict[str, list[str]], both: bool, rng: np.random.Generator) -> list[dict]:
    model = mujoco.MjModel.from_xml_path(str(FOLDER / file))
    off = mujoco.mjtDisableBit
    model.opt.disableflags |= off.mjDSBL_CONTACT | off.mjDSBL_LIMIT | off.mjDSBL_FRICTIONLOSS
    data = mujoco.MjData(model)
    states = []
    for _ in range(STATES):
        data.qpos[:] = rng.normal(size=model.nq) * 0.7
        data.qvel[:] = rng.normal(size=model.nv)
        state = {}
        for index in range(model.njnt):
            at = model.jnt_qposadr[index]
            if model.jnt_type[index] == mujoco.mjtJoint.mjJNT_FREE:
                data.qpos[at + 3 : at + 7] = random_quaternion(rng)
            if model.jnt_type[index] == mujoco.mjtJoint.mjJNT_BALL:
                data.qpos[at : at + 4] = random_quaternion(rng)
        mujoco.mj_forward(model, data)
        for index in range(model.njnt):
            name = joint_name(model, index)
            at, vt, kind = model.jnt_qposadr[index], model.jnt_dofadr[index], model.jnt_type[index]
            if kind == mujoco.mjtJoint.mjJNT_FREE:
                place, turn = data.qpos[at : at + 3].copy(), data.qpos[at + 3 : at + 7].copy()
                matrix = np.zeros(9)
                mujoco.mju_quat2Mat(matrix, turn)
                matrix = matrix.reshape(3, 3)
                spin, spin_rate = data.qvel[vt + 3 : vt + 6].copy(), data.qacc[vt + 3 : vt + 6].copy()
                speed = matrix.T @ data.qvel[vt : vt + 3]
                rate = matrix.T @ data.qacc[vt : vt + 3] - np.cross(spin, speed)
                own = [*turn, *place], [*spin, *speed], [*spin_rate, *rate]
            else:
                nq, nv = (4, 3) if kind == mujoco.mjtJoint.mjJNT_BALL else (1, 1)
                own = data.qpos[at : at + nq], data.qvel[vt : vt + nv], data.qacc[vt : vt + nv]
            values = [np.asarray(part).tolist() for part in own]
            state[name] = dict(zip(("position", "speed", "acceleration"), values))
        if both:
            check_with_pinocchio(file, model, data)
        for name, parts in combined.items():
            merged = [state.pop(part) for part in parts]
            state[name] = {key: sum((part[key] for part in merged), []) for key in merged[0]}
        states.append(state)
    return states


def check_with_pinocchio(file: str, model, data) -> None:
    """Pinocchio's own reading of the file, at the same state and with the same forces of springs and dampers."""
    other = pin.buildModelFromMJCF(str(FOLDER / file))
    q, v, tau = pin.neutral(other), np.zeros(other.nv), np.zeros(other.nv)
    slots = []
    for index in range(model.njnt):
        at, vt, kind = model.jnt_qposadr[index], model.jnt_dofadr[index], model.jnt_type[index]
        nq, nv = (4, 3) if kind == mujoco.mjtJoint.mjJNT_BALL else (1, 1)
        slots.append((model.jnt_bodyid[index], at, vt, nq, nv, kind))
    qpos, qvel = data.qpos, data.qvel
    order = []
    for joint_index in range(1, other.njoints):
        joint = other.joints[joint_index]
        name = other.names[joint_index]
        # Joints of one body are one composite joint, named by the first of them.
        first = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_JOINT, name.removeprefix("Composite_"))
        assert first >= 0, f"{file}: Pinocchio's joint {name} is not found"
        body = model.jnt_bodyid[first]
        parts = [slot for slot in slots if slot[0] == body]
        iq, iv = joint.idx_q, joint.idx_v
        for _, at, vt, nq, nv, kind in parts:
            assert kind != mujoco.mjtJoint.mjJNT_FREE, "its speeds differ; compared through MuJoCo alone"
            if kind == mujoco.mjtJoint.mjJNT_BALL:
                w, x, y, z = qpos[at : at + 4]
                q[iq : iq + 4] = [x, y, z, w]
                v[iv : iv + 3] = qvel[vt : vt + 3]
            else:
                q[iq], v[iv] = qpos[at], qvel[vt]
            order.append((vt, nv, kind, iv))
            tau[iv : iv + nv] = data.qfrc_passive[vt : vt + nv]
            iq, iv = iq + nq, iv + nv
    other.gravity.linear = model.opt.gravity * (0 if model.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_GRAVITY else 1)
    other.armature[:] = 0
    a = pin.aba(other, other.createData(), q, v, tau)
    worst = 0.0
    for vt, nv, kind, iv in order:
        mine = data.qacc[vt : vt + nv].copy()
        worst = max(worst, float(np.max(np.abs(mine - a[iv : iv + nv]))))
    scale = float(np.max(np.abs(data.qacc)))
    assert np.all(np.isfinite(a)) and len(order) == model.njnt, f"{file}: Pinocchio reads {len(order)} joints"
    assert worst < 1e-10 * scale, f"{file}: Pinocchio and MuJoCo differ by {worst / scale:.1e}"


def main() -> None:
    rng = np.random.default_rng(29)
    combined = {
        "gimbal_a_gimbal_b": ["gimbal_a", "gimbal_b"],
        "drill_in_drill_turn": ["drill_turn", "drill_in"],
        "cart_x_cart_z_cart_turn": ["cart_z", "cart_x", "cart_turn"],
        "probe_x_probe_y_probe_z": ["probe_y", "probe_x", "probe_z"],
    }
    rig = {
        "gantry_x_gantry_y_gantry_z": ["gantry_x", "gantry_y", "gantry_z"],
        "quill_in_quill_turn": ["quill_turn", "quill_in"],
        "bolt_turn_bolt_in": ["bolt_turn", "bolt_in"],
        "table_a_table_b_table_turn": ["table_a", "table_b", "table_turn"],
        "head_a_head_b": ["head_a", "head_b"],
    }
    chain = {"x_y_turn": ["x", "y", "turn"], "roll_pitch": ["roll", "pitch"]}
    cases = [
        {"file": "arm.urdf", "floating": False, "states": urdf_states("arm.urdf", False, rng)},
        {"file": "walker.urdf", "floating": True, "states": urdf_states("walker.urdf", True, rng)},
        {"file": "vehicle.urdf", "floating": False, "states": urdf_states("vehicle.urdf", False, rng)},
        {"file": "tree.xml", "floating": False, "states": mjcf_states("tree.xml", combined, False, rng)},
        {"file": "chain.xml", "floating": False, "states": mjcf_states("chain.xml", chain, True, rng)},
        {"file": "degrees.xml", "floating": False, "states": mjcf_states("degrees.xml", {}, True, rng)},
        {"file": "crane.urdf", "floating": False, "states": urdf_states("crane.urdf", False, rng)},
        {"file": "hand.urdf", "floating": True, "states": urdf_states("hand.urdf", True, rng)},
        {"file": "machine.xml", "floating": False, "states": mjcf_states("machine.xml", {}, False, rng)},
        {"file": "rig.xml", "floating": False, "states": mjcf_states("rig.xml", rig, False, rng)},
    ]
    source = f"Pinocchio {pin.__version__} (URDF), MuJoCo {mujoco.__version__} and Pinocchio (MJCF)"
    text = json.dumps({"source": source, "script": "scripts/robot_reference.py", "cases": cases}, indent=1)
    (FOLDER / "robot_reference.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
