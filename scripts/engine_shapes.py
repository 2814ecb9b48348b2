#!/usr/bin/env python3
"""Writes the geometry files of models/engine.toml: one in each format that pictures may name.

crank.stl   binary STL, millimetres
rod.obj     polygons, metres
piston.glb  glTF 2.0 in one piece, metres, y upwards
"""

import json
import math
import struct
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "models" / "shapes"
SIDES = 48


def revolved(profile, centre=(0.0, 0.0), sides=SIDES):
    """Points and quads of a closed profile of (radius, height), counter-clockwise, turned about y through (x, z)."""
    points, faces, n = [], [], len(profile)
    for k in range(sides):
        a = 2 * math.pi * k / sides
        points += [(centre[0] + r * math.cos(a), h, centre[1] - r * math.sin(a)) for r, h in profile]
    for k in range(sides):
        for i in range(n):
            a, b = k * n + i, k * n + (i + 1) % n
            c, d = (k + 1) % sides * n + (i + 1) % n, (k + 1) % sides * n + i
            faces.append((a, d, c, b))
    return points, faces


def ring(inner, outer, low, high, centre=(0.0, 0.0)):
    return revolved([(inner, low), (outer, low), (outer, high), (inner, high)], centre)


def block(low, high):
    points = [tuple((low, high)[k >> i & 1][i] for i in range(3)) for k in range(8)]
    return points, [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]


def joined(parts):
    points, faces = [], []
    for more, quads in parts:
        faces += [tuple(len(points) + k for k in quad) for quad in quads]
        points += more
    return points, faces


def triangles(faces):
    return [t for f in faces for t in ((f[0], f[1], f[2]), (f[0], f[2], f[3]))]


def volume(points, faces):
    """By the divergence theorem: positive if all faces look outwards."""
    total = 0.0
    for a, b, c in triangles(faces):
        (ax, ay, az), (bx, by, bz), (cx, cy, cz) = points[a], points[b], points[c]
        total += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
    return total / 6


def write_stl(path, points, faces):
    corners = triangles(faces)
    data = b"crank of models/engine.toml, millimetres".ljust(80) + struct.pack("<I", len(corners))
    for corner in corners:
        data += struct.pack("<12fH", 0, 0, 0, *[x for k in corner for x in points[k]], 0)
    path.write_bytes(data)


def write_obj(path, points, faces):
    lines = ["# connecting rod of models/engine.toml, metres"]
    lines += ["v " + " ".join(f"{x:.6g}" for x in point) for point in points]
    lines += ["f " + " ".join(str(k + 1) for k in face) for face in faces]
    path.write_text("\n".join(lines) + "\n")


def write_glb(path, points, faces):
    corners = [k for triangle in triangles(faces) for k in triangle]
    places = struct.pack(f"<{3 * len(points)}f", *[x for point in points for x in point])
    data = places + struct.pack(f"<{len(corners)}H", *corners)
    text = json.dumps({
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "name": "piston"}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": len(points), "type": "VEC3",
             "min": [min(p[i] for p in points) for i in range(3)], "max": [max(p[i] for p in points) for i in range(3)]},
            {"bufferView": 1, "componentType": 5123, "count": len(corners), "type": "SCALAR"},
        ],
        "bufferViews": [{"buffer": 0, "byteLength": len(places)},
                        {"buffer": 0, "byteOffset": len(places), "byteLength": len(data) - len(places)}],
        "buffers": [{"byteLength": len(data)}],
    }).encode()
    text += b" " * (-len(text) % 4)
    data += b"\0" * (-len(data) % 4)
    size = 12 + 8 + len(text) + 8 + len(data)
    path.write_bytes(b"glTF" + struct.pack("<II", 2, size) + struct.pack("<I", len(text)) + b"JSON" + text
                     + struct.pack("<I", len(data)) + b"BIN\0" + data)


def crank():
    """About y, the pin 40 mm along x; webs with counterweights on the other side."""
    shaft = [ring(0, 15, -60, -24), ring(0, 15, 24, 60), ring(0, 13, -12, 12, (40, 0))]
    webs = [part for low, high in ((-24, -12), (12, 24)) for part in (
        ring(0, 22, low, high), ring(0, 20, low, high, (40, 0)), block((0, low, -18), (42, high, 18)),
        ring(0, 30, low, high, (-22, 0)), block((-48, low, -38), (-8, high, 38)))]
    return joined(shaft + webs)


def rod():
    """From the origin to 0.14 m along x; both eyes about y."""
    eyes = [ring(0.013, 0.026, -0.011, 0.011), ring(0.009, 0.017, -0.011, 0.011, (0.14, 0))]
    shank = [block((0.022, -0.003, -0.012), (0.126, 0.003, 0.012)), block((0.022, -0.008, 0.009), (0.126, 0.008, 0.013)),
             block((0.022, -0.008, -0.013), (0.126, 0.008, -0.009))]
    return joined(eyes + shank)


def piston():
    """About y, the pin at the origin: crown with grooves, hollow skirt."""
    outer = [(0.0405, -0.030), (0.0405, 0.014)]
    for low in (0.016, 0.021, 0.026):
        outer += [(0.0405, low), (0.038, low), (0.038, low + 0.003), (0.0405, low + 0.003)]
    profile = outer + [(0.0405, 0.034), (0.0, 0.034), (0.0, 0.022), (0.034, 0.022), (0.034, -0.030)]
    shell = revolved(profile)
    pin_points, pin_faces = ring(0.005, 0.009, -0.036, 0.036)
    # The pin lies along z here, which the model turns to y.
    return joined([shell, ([(x, -z, y) for x, y, z in pin_points], pin_faces)])


def main():
    FOLDER.mkdir(exist_ok=True)
    for write, name, (points, faces) in (
        (write_stl, "crank.stl", crank()), (write_obj, "rod.obj", rod()), (write_glb, "piston.glb", piston())):
        write(FOLDER / name, points, faces)
        print(f"{name}: {len(triangles(faces))} triangles, {volume(points, faces):.3g} volume units")


if __name__ == "__main__":
    main()
