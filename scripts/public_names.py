#!/usr/bin/env python3
"""Counts the public names of the libraries: what users of Rust can write, as the documentation lists it.

Types, traits, functions, constants and macros, each once, without methods, fields and variants. Renames of the same item at
the root of a crate do not count again.

    scripts/public_names.py                    documents the crates and prints how many names of which kind each has
    scripts/public_names.py --list flexura     prints the names of one crate
"""

import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CRATES = ["flexura", "flexura-fem", "flexura-results", "flexura-output"]
ITEM = re.compile(r'<li><a href="([^"]*/)?(\w+)\.(\w+)\.html">([^<]+)</a></li>')


def names(crate: str) -> list[tuple[str, str]]:
    """(kind, path) of every item on the page that lists all of them."""
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    page = target / "doc" / crate.replace("-", "_") / "all.html"
    return [(match[2], match[4]) for match in ITEM.finditer(page.read_text(encoding="utf-8"))]


def main() -> None:
    packages = [word for crate in CRATES for word in ("-p", crate)]
    subprocess.run(["cargo", "doc", "--quiet", "--no-deps", "--lib", *packages], cwd=ROOT, check=True)
    if sys.argv[1:2] == ["--list"]:
        print("\n".join(f"{kind:9} {path}" for kind, path in names(sys.argv[2])))
        return
    for crate in CRATES:
        found = names(crate)
        kinds = Counter(kind for kind, _ in found)
        words = ", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items()))
        print(f"{crate}: {len(found)} ({words})")


if __name__ == "__main__":
    main()
