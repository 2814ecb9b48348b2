#!/usr/bin/env python3
"""Sizes of the source at one or more revisions, as a table: what a rebuilding has done to it.

    scripts/house_numbers.py 9368318 HEAD           the table of book/src/rooms.md
    scripts/house_numbers.py 9368318 HEAD --rooms   lines of the engine by room, old and new

Counted are the Rust files below `crates/*/src`; *functions* have a body of their own, from signature to closing brace. *Repeated runs* are
runs of six or more lines that stand in two places, the same but for white space; blank lines, comments, lone punctuation and
imports do not count. *Declared public* are `pub` items at the top of a module, as `scripts/module_graph.py` counts
them; what documentation lists is counted by `scripts/public_names.py`.
"""

import re
import statistics
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RUN = 6
PUBLIC = re.compile(r"^pub (?:const fn|async fn|unsafe fn|fn|struct|enum|trait|type|const|static|union) ", re.MULTILINE)
FUNCTION = re.compile(r"^( *)(?:pub(?:\([^)]*\))? )?(?:const |async |unsafe )*fn \w+")
SKIPPED = re.compile(r"^(//.*|#!?\[.*|[\W_]*|(pub(\([^)]*\))? )?use .*|(pub )?mod .*)$")


def git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def sources(revision: str) -> dict[str, str]:
    """Path and text of every source file."""
    paths = [path for path in git("ls-tree", "-r", "--name-only", revision, "crates").split()
             if re.match(r"crates/[\w-]+/src/.*\.rs$", path)]
    asked = "\n".join(f"{revision}:{path}" for path in paths)
    answer = subprocess.run(["git", "cat-file", "--batch"], cwd=ROOT, check=True, capture_output=True,
                            input=asked.encode()).stdout
    texts, at = {}, 0
    for path in paths:
        line = answer.index(b"\n", at)
        size = int(answer[at:line].split()[2])
        texts[path] = answer[line + 1:line + 1 + size].decode()
        at = line + 2 + size
    return texts


def functions(text: str) -> list[int]:
    """Lines of every function with a body; code is formatted, so that it ends with a brace as far in as it began."""
    lines, found = text.splitlines(), []
    for i, line in enumerate(lines):
        if head := FUNCTION.match(line):
            close = head[1] + "}"
            for j in range(i, len(lines)):
                if lines[j].rstrip().endswith(";") and "{" not in "".join(lines[i:j + 1]):
                    break
                if lines[j] == close or (j == i and line.rstrip().endswith("}")):
                    found.append(j - i + 1)
                    break
    return found


def repeated(texts: dict[str, str]) -> tuple[int, int]:
    """Runs that stand in two places, and the lines of one of the two."""
    kept = {path: [" ".join(line.split()) for line in text.splitlines() if not SKIPPED.match(line.strip())]
            for path, text in texts.items()}
    places = defaultdict(list)
    for path, lines in kept.items():
        for i in range(len(lines) - RUN + 1):
            places[tuple(lines[i:i + RUN])].append((path, i))
    seen, runs, total = set(), 0, 0
    for group in places.values():
        first = group[0]
        for other in group[1:]:
            if (first, other) in seen:
                continue
            length, (a, i), (b, j) = 0, first, other
            while (i + length < len(kept[a]) and j + length < len(kept[b])
                   and kept[a][i + length] == kept[b][j + length]):
                length += 1
            seen.update(((a, i + k), (b, j + k)) for k in range(length - RUN + 1))
            runs, total = runs + 1, total + length
    return runs, total


def room(path: str) -> str | None:
    """Room of the engine."""
    parts = Path(path).parts
    return Path(parts[3]).stem if parts[1] == "flexura" and parts[3] not in ("lib.rs", "main.rs") else None


def numbers(revision: str) -> dict[str, str]:
    texts = sources(revision)
    sizes = {path: text.count("\n") for path, text in texts.items()}
    lengths = {path: functions(text) for path, text in texts.items()}
    every = [length for found in lengths.values() for length in found]
    largest = max(sizes, key=sizes.get)
    longest = max((found for found in lengths if lengths[found]), key=lambda path: max(lengths[path]))
    engine = {path: text for path, text in texts.items() if room(path)}
    runs, lines = repeated(texts)
    own_runs, own_lines = repeated(engine)
    return {
        "files, lines": f"{len(sizes):,}, {sum(sizes.values()):,}",
        "of the engine": f"{len(engine):,}, {sum(sizes[path] for path in engine):,}",
        "rooms of the engine": f"{len({room(path) for path in engine})}",
        "median file": f"{statistics.median(sizes.values()):g} lines",
        "longest file": f"{sizes[largest]} lines, `{largest.removeprefix('crates/')}`",
        "files above 400 lines": f"{sum(size > 400 for size in sizes.values())}",
        "functions": f"{len(every):,}",
        "median function": f"{statistics.median(every):g} lines",
        "longest function": f"{max(every)} lines, `{longest.removeprefix('crates/')}`",
        "functions above 60 lines": f"{sum(length > 60 for length in every)}",
        "repeated runs, their lines": f"{runs}, {lines}",
        "of the engine ": f"{own_runs}, {own_lines}",
        "declared public, engine": f"{sum(len(PUBLIC.findall(text)) for text in engine.values())}",
    }


def by_room(revision: str) -> dict[str, int]:
    found: dict[str, int] = defaultdict(int)
    for path, text in sources(revision).items():
        if name := room(path):
            found[name] += text.count("\n")
    return found


def main() -> None:
    revisions = [word for word in sys.argv[1:] if not word.startswith("-")] or ["HEAD"]
    if "--rooms" in sys.argv:
        sides = [by_room(revision) for revision in revisions]
        names = sorted(set().union(*sides), key=lambda name: -max(side.get(name, 0) for side in sides))
        rows = [(f"`{name}`", *[f"{side[name]:,}" if name in side else "" for side in sides]) for name in names]
    else:
        sides = [numbers(revision) for revision in revisions]
        rows = [(name.strip(), *[side[name] for side in sides]) for name in sides[0]]
    print("| | " + " | ".join(f"`{revision}`" for revision in revisions) + " |")
    print("|---|" + "---|" * len(revisions))
    print("\n".join("| " + " | ".join(row) + " |" for row in rows))


if __name__ == "__main__":
    main()
