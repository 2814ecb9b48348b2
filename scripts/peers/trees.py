"""Rigid trees that every program gets in its own words: chains of bars, and a robot of the size of a humanoid.

One list of bodies, written as a model file of Flexura, as rows of numbers (Pinocchio's and
MuJoCo's sides) and as URDF (Drake). Frames of
bodies are parallel to those before them at zero angles; the inertias are diagonal about the centre of mass.
"""

import math
from dataclasses import dataclass

GRAVITY = (0.0, 0.0, -9.81)
X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


@dataclass
class Body:
    parent: int
    place: tuple  # of the joint, from the joint of the parent (m)
    axis: tuple | None  # None: free
    mass: float
    center: tuple
    inertia: tuple
    angle: float = 0.0
    rate: float = 0.0


def chain(count):
    """Bars of 1 kg, 1 m x 0.1 m x 0.1 m along x, hinges about x, y, z in turn: the chain of published comparisons."""
    thin, long = 0.02 / 12, 1.01 / 12
    return [
        Body(k - 1, (1.0, 0.0, 0.0) if k else (0.0,) * 3, (X, Y, Z)[k % 3], 1.0, (0.5, 0.0, 0.0), (thin, long, long), *start(k))
        for k in range(count)
    ]


def start(k):
    return 0.3 * math.sin(k + 1), 0.2 * math.cos(k + 1)


def rod(mass, vector):
    """Centre and inertia of a limb along `vector`, 80 mm thick."""
    square = [0.08**2 + v * v for v in vector]
    return tuple(0.5 * v for v in vector), tuple(mass / 12 * (square[(i + 1) % 3] + square[(i + 2) % 3]) for i in range(3))


def humanoid():
    """A free pelvis, a waist of three, a neck of two, arms of seven and legs of six hinges: 31 hinges, 37 speeds."""
    bodies = [Body(-1, (0.0, 0.0, 1.0), None, 8.0, (0.0, 0.0, 0.05), (0.08, 0.06, 0.05))]

    def limb(parent, first, *links):
        """Links (axis, mass, vector to the next joint), each on the one before it; the number of the last."""
        place = first
        for axis, mass, vector in links:
            center, inertia = rod(mass, vector)
            bodies.append(Body(parent, place, axis, mass, center, inertia, *start(len(bodies))))
            parent, place = len(bodies) - 1, vector
        return parent

    chest = limb(0, (0.0, 0.0, 0.1), (Z, 1.0, (0.0, 0.0, 0.05)), (X, 1.0, (0.0, 0.0, 0.05)), (Y, 14.0, (0.0, 0.0, 0.35)))
    limb(chest, (0.0, 0.0, 0.4), (Z, 0.5, (0.0, 0.0, 0.05)), (Y, 3.0, (0.02, 0.0, 0.2)))
    for side in (1.0, -1.0):
        arm = [(Y, 1.0, 0.03), (X, 1.0, 0.03), (Z, 1.5, 0.25), (Y, 1.2, 0.03), (Z, 1.0, 0.22), (X, 0.3, 0.02), (Y, 0.4, 0.1)]
        limb(chest, (0.0, 0.2 * side, 0.3), *((axis, mass, (0.0, 0.0, -length)) for axis, mass, length in arm))
        leg = [(Z, 1.0, 0.04), (X, 1.0, 0.04), (Y, 6.0, 0.4), (Y, 3.5, 0.4), (Y, 0.4, 0.03), (X, 1.0, 0.06)]
        limb(0, (0.0, 0.1 * side, -0.05), *((axis, mass, (0.0, 0.0, -length)) for axis, mass, length in leg))
    return bodies


def words(numbers):
    return " ".join(f"{x:.17g}" for x in numbers)


def speeds(bodies):
    return sum(6 if body.axis is None else 1 for body in bodies)


def table(bodies):
    """Count and gravity, then one row per body."""
    rows = [words([len(bodies), *GRAVITY])]
    for body in bodies:
        place = [body.parent, 1 if body.axis is None else 0, *(body.axis or X), *body.place]
        rows.append(words([*place, body.mass, *body.center, *body.inertia, body.angle, body.rate]))
    return "\n".join(rows) + "\n"


def flexura(bodies, step, steps):
    """A model file; joints are called j0, j1, …"""
    end = step * steps
    out = [f'[model]\nname = "tree"\ngravity = {list(GRAVITY)}']
    frames = [[] for _ in bodies]
    for k, body in enumerate(bodies):
        if body.parent >= 0:
            frames[body.parent].append(f'{{ name = "to{k}", position = {list(body.place)} }}')
    root = next(body for body in bodies if body.parent < 0)
    out.append(f'[[ground.frame]]\nname = "base"\nposition = {list(root.place)}')
    for k, body in enumerate(bodies):
        inside = f"mass = {body.mass}\ninertia = {list(body.inertia)}\ncenter_of_mass = {list(body.center)}"
        out.append(f'[[body]]\nname = "b{k}"\n{inside}\nframe = [{", ".join(frames[k])}]')
        before = "ground.base" if body.parent < 0 else f"b{body.parent}.to{k}"
        ends = f'[[joint]]\nname = "j{k}"\nbetween = ["{before}", "b{k}.origin"]'
        if body.axis is None:
            out.append(f'{ends}\ntype = "free"')
        else:
            out.append(f'{ends}\ntype = "revolute"\naxis = {list(body.axis)}\nposition = {body.angle!r}\nspeed = {body.rate!r}')
    # Two rows: the start and the end.
    out.append(f'[simulation]\nend = {end!r}\nmethod = "rk4"\nstep = {step!r}\noutput_interval = {end!r}')
    out.append('[output]\nchannels = ["*.rate"]')
    return "\n".join(out) + "\n"


def urdf(bodies):
    """Links b0, b1, …; a fixed root hangs on the link `base`."""
    out = ['<robot name="tree">']
    if bodies[0].axis is not None:
        out.append('<link name="base"/>')
    for k, body in enumerate(bodies):
        xx, yy, zz = (f"{x:.17g}" for x in body.inertia)
        inertia = f'<inertia ixx="{xx}" iyy="{yy}" izz="{zz}" ixy="0" ixz="0" iyz="0"/>'
        inertial = f'<inertial><origin xyz="{words(body.center)}"/><mass value="{body.mass}"/>{inertia}</inertial>'
        out.append(f'<link name="b{k}">{inertial}</link>')
        if body.axis is None:
            continue
        parent = "base" if body.parent < 0 else f"b{body.parent}"
        ends = f'<parent link="{parent}"/><child link="b{k}"/><origin xyz="{words(body.place)}"/>'
        limit = '<limit effort="1e9" velocity="1e9" lower="-1e9" upper="1e9"/>'
        out.append(f'<joint name="j{k}" type="revolute">{ends}<axis xyz="{words(body.axis)}"/>{limit}</joint>')
    return "\n".join(out) + "</robot>"
