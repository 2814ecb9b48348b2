#!/usr/bin/env python3
"""Draws the pictures of the gallery, and compares the motion of another build by its pictures.

    scripts/gallery.py [--flexura PATH] [--only NAME ...] [-o FOLDER]
    scripts/gallery.py --joints [--only NAME ...]
    scripts/gallery.py --compare OLD_FLEXURA -o FOLDER [--pages]

Every model is run and drawn at one time by `flexura view --png` (Chromium, no screen). With --compare the models are run by
the other program too, its results drawn by the same viewer (name_old.png), and the share of pixels that differ is printed: by
more than the eye's threshold (8 of 255 levels in a channel), and by anything at all. --pages: the examples of the book's pages
on bodies, joints, forces and drivers instead, at 60 % of their time. --joints: small films of the examples of joints.
"""

import argparse
import collections
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
VISIBLE = 8  # levels of 255

# name: model, time (s), options of the view
PICTURES = {
    "pendulum": ("pendulum.toml", 0.3, ["--zoom", "1.5"]),
    "slider_crank": ("gallery/slider_crank.toml", 0.105, ["--camera", "top", "--colours", "stress"]),
    "robot": ("gallery/robot.toml", 0.6, ["--forces", "--shadows", "--zoom", "1.7"]),
    "deploying_panels": ("gallery/deploying_panels.toml", 2.5, ["--zoom", "1.5"]),
    "spinning_satellite": ("gallery/spinning_satellite.toml", 12.0, ["--zoom", "1.6"]),
    "four_bar": ("four_bar.toml", 0.013, ["--camera", "top", "--colours", "stress"]),
    "vehicle": ("gallery/vehicle.toml", 2.4, ["--forces", "--shadows", "--track", "chassis", "--zoom", "10"]),
    "chain": ("gallery/chain.toml", 0.7, ["--camera", "front", "--zoom", "1.3"]),
    "rotor": ("gallery/rotor.toml", 3.4, ["--deformation", "20"]),
    "space_manipulator": ("gallery/space_manipulator.toml", 12.0, ["--zoom", "1.6"]),
    "whip": ("gallery/whip.toml", 0.32, ["--camera", "front"]),
    "crane": ("gallery/crane.toml", 9.0, ["--shadows", "--zoom", "1.5"]),
}


# Examples of pages that move far, or small things in a wide space: the camera stays with a body, or comes near.
NEAR = {
    "force": ["--track", "rocket", "--zoom", "14"],
    "drag": ["--track", "load", "--zoom", "12"],
    "free": ["--track", "stick", "--zoom", "4"],
    "cylindrical": ["--track", "nut", "--zoom", "4"],
    "helical": ["--track", "nut", "--zoom", "4"],
    "contact": ["--track", "ball", "--zoom", "3", "--shadows"],
    "planar": ["--track", "puck", "--zoom", "4"],
}

# Films of things that leave the picture small behind them: how long they are looked at (s), and from how near.
FILMS = {
    "cylindrical": (0.3, "1.1"),
    "helical": (0.45, "1.1"),
    "free": (0.35, "1.15"),
    "planar": (0.7, "1.15"),
    "blade": (1.2, "1.25"),
    "rolling": (4.0, "1.3"),
    "revolute": (4.0, "1.5"),
    "universal": (2.0, "1.5"),
    "weld": (2.0, "1.4"),
}


def pages():
    """Models on the pages of the book that show a picture of their example, as the gallery's entries."""
    found = {}
    for page in sorted(ROOT.glob("book/src/*/*.md")):
        text = page.read_text()
        picture = re.search(r"the example below\]\(\.\./pictures/([a-z-]+)\.png\)", text)
        example = re.search(r"```toml\n(.*?)```", text, re.S)
        if picture and example:
            ends = re.findall(r"(?m)^end = ([0-9.e-]+)", example.group(1))
            time = 0.6 * float(ends[0]) if ends else 0.0
            found[picture.group(1)] = (example.group(1), time, NEAR.get(picture.group(1), []))
    return found


def joints():
    """Examples of the pages about joints, as the gallery's entries."""
    found = {}
    for page in sorted(ROOT.glob("book/src/joints/*.md")):
        example = re.search(r"```toml\n(.*?)```", page.read_text(), re.S)
        if example:
            end, zoom = FILMS.get(page.stem, (None, "1.0"))
            text = re.sub(r"(?m)^end = [0-9.e-]+", f"end = {end}", example.group(1)) if end else example.group(1)
            found[f"{page.stem}_moving"] = (text, None, ["--zoom", zoom])
    return found


def draw(run_with, view_with, name, entry, target):
    """Runs the model by one program and draws it by the other; without a time as a film."""
    model, time, options = entry
    with tempfile.TemporaryDirectory() as folder:
        result, file = pathlib.Path(folder) / "r.fxr", ROOT / "models" / model.splitlines()[0]
        if "\n" in model:  # the text of an example; its parts lie beside the models
            file = pathlib.Path(folder) / "example.toml"
            file.write_text(model.replace('"parts/', f'"{ROOT}/models/parts/').replace('"../../models/', f'"{ROOT}/models/'))
        done = subprocess.run([run_with, "run", str(file), "-o", str(result)], capture_output=True, text=True)
        if not result.exists():
            print(f"{name}: {run_with} gives no result: {done.stderr.strip().splitlines()[0]}", file=sys.stderr)
            return False
        if time is None:
            film = ["--gif", str(target), "--size", "240x150", "--fps", "6"]
            subprocess.run([view_with, "view", str(result), *film, *options], check=True, capture_output=True)
            return True
        view = [view_with, "view", str(result), "--png", folder, "--at", str(time), "--size", "640x400", *options]
        subprocess.run(view, check=True, capture_output=True)
        picture = next(iter(sorted(pathlib.Path(folder).glob("*.png"))))
        shutil.copy(picture, target)
        return True


def pixels(path):
    """Rows of bytes of a PNG file of 8 bits per channel, without a palette or interlacing."""
    data = path.read_bytes()
    at, body, palette = 8, b"", None
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at : at + 8])
        content = data[at + 8 : at + 8 + size]
        if kind == b"IHDR":
            width, height, depth, colour, _, _, interlace = struct.unpack(">IIBBBBB", content)
            if depth != 8 or interlace:
                sys.exit(f"{path}: only plain 8-bit pictures")
        elif kind == b"PLTE":
            palette = content
        elif kind == b"IDAT":
            body += content
        at += size + 12
    channels = {0: 1, 2: 3, 3: 1, 6: 4}[colour]
    raw, stride, rows, before = zlib.decompress(body), width * channels, [], bytes(width * channels)
    for y in range(height):
        kind, line = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1 : (y + 1) * (stride + 1)])
        for x in range(stride):
            left = line[x - channels] if x >= channels else 0
            up, corner = before[x], before[x - channels] if x >= channels else 0
            if kind == 1:
                line[x] = (line[x] + left) & 255
            elif kind == 2:
                line[x] = (line[x] + up) & 255
            elif kind == 3:
                line[x] = (line[x] + (left + up) // 2) & 255
            elif kind == 4:
                guess = left + up - corner
                nearest = min((left, up, corner), key=lambda value: abs(guess - value))
                line[x] = (line[x] + nearest) & 255
        before = bytes(line)
        rows.append(before)
    points = [row[x : x + channels] for row in rows for x in range(0, stride, channels)]
    return [palette[3 * p[0] : 3 * p[0] + 3] for p in points] if palette else points


def make_small(path):
    """Writes a PNG file again with a palette of 256 of its colours: a tenth of the size."""
    size = struct.unpack(">II", path.read_bytes()[16:24])
    points = [bytes(p[:3]) for p in pixels(path)]
    # Rare colours of a gradient count as much as common ones of a flat face: one colour per cell of 8 levels.
    cells = collections.defaultdict(collections.Counter)
    for colour, count in collections.Counter(points).items():
        cells[tuple(level >> 3 for level in colour)][colour] += count
    largest = sorted(cells.values(), key=lambda cell: -sum(cell.values()))[:256]
    palette = [cell.most_common(1)[0][0] for cell in largest]
    place = {}
    for colour in set(points):
        apart = [sum((a - b) ** 2 for a, b in zip(entry, colour)) for entry in palette]
        place[colour] = apart.index(min(apart))
    rows = [points[y * size[0] : (y + 1) * size[0]] for y in range(size[1])]
    body = b"".join(b"\0" + bytes(place[p] for p in row) for row in rows)
    parts = [
        (b"IHDR", struct.pack(">IIBBBBB", *size, 8, 3, 0, 0, 0)),
        (b"PLTE", b"".join(palette)),
        (b"IDAT", zlib.compress(body, 9)),
        (b"IEND", b""),
    ]
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        for kind, content in parts:
            file.write(struct.pack(">I", len(content)) + kind + content)
            file.write(struct.pack(">I", zlib.crc32(kind + content)))


def shares(first, second):
    """Shares of pixels that differ visibly, and at all."""
    pairs = list(zip(pixels(first), pixels(second)))
    apart = [max(abs(a - b) for a, b in zip(p, q)) for p, q in pairs]
    return sum(x > VISIBLE for x in apart) / len(pairs), sum(x > 0 for x in apart) / len(pairs)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--flexura", default=os.environ.get("FLEXURA_BINARY", str(ROOT / "target/release/flexura")))
    parser.add_argument("--only", nargs="*", help="only these pictures")
    parser.add_argument("--pages", action="store_true", help="the examples of the book's pages instead")
    parser.add_argument("--joints", action="store_true", help="films of the joints instead")
    parser.add_argument("--compare", metavar="OLD", help="another program whose motion is drawn beside")
    parser.add_argument("-o", "--output", default=str(ROOT / "book/src/pictures"))
    options = parser.parse_args()
    options.flexura = str(pathlib.Path(options.flexura).resolve())
    folder = pathlib.Path(options.output)
    folder.mkdir(parents=True, exist_ok=True)
    entries = joints() if options.joints else pages() if options.pages else PICTURES
    for name in options.only or entries:
        new = folder / f"{name}.{'gif' if options.joints else 'png'}"
        draw(options.flexura, options.flexura, name, entries[name], new)
        if options.joints:
            print(name)
            continue
        if not options.compare:
            make_small(new)
            print(name)
            continue
        old = folder / f"{name}_old.png"
        if not draw(options.compare, options.flexura, name, entries[name], old):
            continue
        visible, any_change = shares(old, new)
        print(f"| {name} | {entries[name][1]:g} | {100 * visible:.2f} % | {100 * any_change:.2f} % |", flush=True)


if __name__ == "__main__":
    main()
