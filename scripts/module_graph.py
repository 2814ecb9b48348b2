#!/usr/bin/env python3
"""Draws the rooms of every crate into the book, from the source (standard library only, about a second).

A room is a file or folder at the top of a crate's `src`. Room A uses room B where a file of A says `crate::B`
outside comments and test modules. The order of the engine's rooms is that of `crates/flexura/tests/text/rooms.rs`;
rooms of other crates are put in an order in which each stands above what it uses. This only draws: whether the order
holds is judged by that test; what breaks it is red in the picture and "(above)" in the tables.

    scripts/module_graph.py             writes book/src/pictures/rooms.svg and the tables of book/src/rooms.md
    scripts/module_graph.py --check     writes nothing; fails where these are out of date
    scripts/module_graph.py --edges     writes nothing; prints every pair of rooms, the number of uses, the first place
"""

import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ORDER = ROOT / "crates/flexura/tests/text/rooms.rs"
PICTURE = ROOT / "book/src/pictures/rooms.svg"
PAGE = ROOT / "book/src/rooms.md"
CRATES = ["flexura", "flexura-fem", "flexura-exchange", "flexura-results", "flexura-output", "flexura-validate", "flexura-cli", "flexura-py"]
# Roots that re-export or start: nothing uses them.
ROOTS = {"lib", "main"}

USE = re.compile(r"\bcrate::(\w+|\{)")
PUBLIC = re.compile(r"^pub (?:const fn|async fn|unsafe fn|fn|struct|enum|trait|type|const|static|union) ", re.MULTILINE)

# From this many uses on, a dot is drawn a size larger.
SIZES = [1, 3, 10, 30]


@dataclass
class Room:
    lines: int = 0
    public: int = 0
    # Room used → number of uses, first place.
    uses: dict[str, tuple[int, str]] = field(default_factory=dict)


def without_tests(text: str) -> str:
    """The text with the items under `#[cfg(test)]` blanked, line numbers kept."""
    mark = "#[cfg(test)]"
    at = text.find(mark)
    while at >= 0:
        end = at + len(mark)
        opened = re.compile(r"[;{]").search(text, end)
        if opened is None:
            end = len(text)
        elif opened[0] == ";":
            end = opened.end()
        else:
            # Code is formatted: the item ends with a brace as far in as it began.
            margin = at - (text.rfind("\n", 0, at) + 1)
            closed = re.compile(rf"^ {{{margin}}}\}}", re.MULTILINE).search(text, opened.end())
            end = closed.end() if closed else len(text)
        text = text[:at] + "\n" * text.count("\n", at, end) + text[end:]
        at = text.find(mark)
    return text


def names_in_braces(text: str, start: int) -> list[str]:
    """First names of `{a::x, b::{y, z}, c}`, the brace open at `start`."""
    names, depth, fresh = [], 1, True
    for match in re.finditer(r"[{},]|\w+|::|[^\s]", text[start:]):
        token = match[0]
        depth += (token == "{") - (token == "}")
        if depth == 0:
            break
        if depth == 1 and token == ",":
            fresh = True
        elif fresh and re.match(r"\w", token):
            names.append(token)
            fresh = False
    return names


def rooms_of(crate: str) -> dict[str, Room]:
    source = ROOT / "crates" / crate / "src"
    files = [path for path in sorted(source.rglob("*.rs")) if path.name != "tests.rs"]
    place = {path: path.relative_to(source).parts[0].removesuffix(".rs") for path in files}
    rooms = {name: Room() for name in sorted(set(place.values()) - ROOTS)}
    for path in files:
        if place[path] in ROOTS:
            continue
        room = rooms[place[path]]
        text = path.read_text(encoding="utf-8")
        room.lines += text.count("\n")
        code = without_tests(text)
        code = re.sub(r"^\s*//.*$", "", code, flags=re.MULTILINE)
        room.public += len(PUBLIC.findall(code))
        for match in USE.finditer(code):
            used = names_in_braces(code, match.end()) if match[1] == "{" else [match[1]]
            for name in used:
                if name in rooms and name != place[path]:
                    here = f"{path.relative_to(ROOT)}:{code.count(chr(10), 0, match.start()) + 1}"
                    count, first = room.uses.get(name, (0, here))
                    room.uses[name] = (count + 1, first)
    return rooms


def engine_order(rooms: dict[str, Room]) -> list[str]:
    listed = re.search(r"const ROOMS[^=]*=\s*\[(.*?)\]", ORDER.read_text(encoding="utf-8"), re.DOTALL)
    order = [name for name in re.findall(r'"(\w+)"', listed[1] if listed else "") if name not in ROOTS]
    if sorted(order) != sorted(rooms):
        sys.exit(f"{ORDER.name} and the folders differ: {sorted(set(order) ^ set(rooms))}")
    return order


def found_order(rooms: dict[str, Room]) -> list[str]:
    """Lowest first: a room follows all that it uses; names decide among equals. In a circle one of them comes first."""
    order: list[str] = []
    while len(order) < len(rooms):
        left = [name for name in rooms if name not in order]
        order.append(min(left, key=lambda name: (len(set(rooms[name].uses) - set(order)), name)))
    return order


def size_of(count: int) -> int:
    return sum(count >= limit for limit in SIZES)


def picture(rooms: dict[str, Room], order: list[str]) -> str:
    """Stairs: one row per room, lowest at the bottom; a dot in the column of a room that it uses."""
    cell, left, top, radii = 20.0, 12.0, 92.0, [0.0, 2.2, 3.8, 5.6, 7.6]
    n = len(order)
    width, height = left + cell * n + 90.0, top + cell * n + 10.0
    column = {name: left + cell * i for i, name in enumerate(order)}
    row = {name: top + cell * (n - 1 - i) for i, name in enumerate(order)}
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="sans-serif" font-size="13">',
        "<title>Which room of the engine uses which</title>",
        '<rect width="100%" height="100%" fill="white"/>',
    ]
    for i, name in enumerate(order):
        x, y = column[name], row[name]
        shade = "#eef2f6" if i % 2 else "#f7f9fb"
        # The step of a room: its row to the left, its column upwards.
        out.append(f'<rect x="{left:g}" y="{y:g}" width="{x - left:g}" height="{cell:g}" fill="{shade}"/>')
    for i, name in enumerate(order):
        x, y = column[name], row[name]
        line = f'x1="{x + cell / 2:g}" x2="{x + cell / 2:g}" y1="{top:g}" y2="{y:g}"'
        out.append(f'<line {line} stroke="#d9e0e6" stroke-width="1"/>')
        out.append(
            f'<rect x="{x + 1:g}" y="{y + 1:g}" width="{cell - 2:g}" height="{cell - 2:g}" rx="3" fill="#2f5d8a"/>'
        )
        out.append(f'<text x="{x + cell + 5:g}" y="{y + 14.5:g}" fill="#1d2327">{name}</text>')
        turned = f'transform="translate({x + cell / 2 + 4:g} {top - 6:g}) rotate(-60)"'
        out.append(f'<text {turned} font-size="12" fill="#5b6670">{name}</text>')
    for name in order:
        for used, (count, _) in sorted(rooms[name].uses.items()):
            x, y = column[used] + cell / 2, row[name] + cell / 2
            dot = f'cx="{x:g}" cy="{y:g}" r="{radii[size_of(count)]:g}"'
            colour = "#c8702a" if column[used] < column[name] else "#d0021b"
            out.append(f'<circle {dot} fill="{colour}"><title>{name} uses {used}</title></circle>')
    out += legend(left + cell * n * 0.56, top + cell * (n - 8.0), radii)
    return "\n".join(out) + "\n</svg>\n"


def legend(x: float, y: float, radii: list[float]) -> list[str]:
    """What the signs mean, in the empty corner under the stairs."""
    words = [
        "A row is a room, the lowest at the bottom;",
        "the column above its square shows who uses it.",
        "A dot: the room of the row uses the room of the",
        "column. Right of the stairs there would be uses",
        "of rooms above, in red: the order forbids them.",
    ]
    out = [f'<text x="{x:g}" y="{y + 17 * i:g}" fill="#5b6670">{text}</text>' for i, text in enumerate(words)]
    y += 17 * len(words) + 6
    bounds = [f"{low} to {high - 1}" for low, high in zip(SIZES, SIZES[1:])] + [f"{SIZES[-1]} and more"]
    for i, text in enumerate(bounds, 1):
        at = y + 17 * (i - 1)
        out.append(f'<circle cx="{x + 8:g}" cy="{at - 4:g}" r="{radii[i]:g}" fill="#c8702a"/>')
        out.append(f'<text x="{x + 24:g}" y="{at:g}" fill="#5b6670">{text} places</text>')
    return out


def rounded(lines: int) -> str:
    """Lines to the next hundred, so that the table changes where a room does."""
    return f"{max(100, round(lines, -2)):,}" if lines >= 50 else "50"


def table(rooms: dict[str, Room], order: list[str]) -> str:
    """Highest room first, as the stairs show it."""
    users = {name: sum(name in room.uses for room in rooms.values()) for name in order}
    rows = ["| room | lines, about | public names | used by | uses |", "|---|---|---|---|---|"]
    for name in reversed(order):
        room = rooms[name]
        height = order.index(name)
        uses = [f"`{used}`" + " (above)" * (i > height) for i, used in enumerate(order) if used in room.uses]
        known = ", ".join(uses) or "nothing"
        rows.append(f"| `{name}` | {rounded(room.lines)} | {room.public} | {users[name]} | {known} |")
    return "\n".join(rows)


def renewed(page: str, crate: str, text: str) -> str:
    """The page with the table of a crate between its marks."""
    begin, end = f"<!-- rooms of {crate} -->", "<!-- end -->"
    pattern = re.compile(re.escape(begin) + r"\n.*?" + re.escape(end), re.DOTALL)
    if not pattern.search(page):
        sys.exit(f"{PAGE.relative_to(ROOT)}: no place for the rooms of {crate} ({begin} … {end})")
    return pattern.sub(lambda _: f"{begin}\n\n{text}\n\n{end}", page)


def main() -> int:
    arguments = set(sys.argv[1:])
    if not arguments <= {"--check", "--edges"}:
        sys.exit(__doc__)
    page = PAGE.read_text(encoding="utf-8")
    fresh, count, pairs, drawn = page, 0, 0, ""
    for crate in CRATES:
        rooms = rooms_of(crate)
        order = engine_order(rooms) if crate == "flexura" else found_order(rooms)
        fresh = renewed(fresh, crate, table(rooms, order))
        count, pairs = count + len(rooms), pairs + sum(len(room.uses) for room in rooms.values())
        if crate == "flexura":
            drawn = picture(rooms, order)
        if "--edges" in arguments:
            for name in order:
                for used, (number, first) in sorted(rooms[name].uses.items()):
                    print(f"{crate}: {name} → {used} {number} {first}")
    if "--edges" in arguments:
        return 0
    stale = [
        (path, text)
        for path, text in [(PICTURE, drawn), (PAGE, fresh)]
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    if "--check" in arguments and stale:
        names = ", ".join(str(path.relative_to(ROOT)) for path, _ in stale)
        print(f"out of date: {names}; run scripts/module_graph.py and look at them", file=sys.stderr)
        return 1
    for path, text in stale:
        path.write_text(text, encoding="utf-8")
    print(f"{count} rooms of {len(CRATES)} crates, {pairs} pairs of rooms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
