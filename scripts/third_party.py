#!/usr/bin/env python3
"""What other people's code the program holds: a bill of materials and the notices their licences ask for.

    scripts/third_party.py --sbom sbom.cdx.json --notices THIRD_PARTY.md [--target TRIPLE]

Reads `cargo metadata` and the sources that Cargo has fetched; nothing is downloaded. The bill of materials is
CycloneDX 1.5 (JSON). A crate without a licence, or with one that is not on the list below, ends the program.
"""

import argparse
import hashlib
import json
import pathlib
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
# What is passed on.
PROGRAMS = {"flexura-cli", "flexura-wheel", "flexura-fmu"}
# Licences that let a program under MIT or Apache-2.0 be passed on with their notices.
ALLOWED = {
    "MIT", "MIT-0", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "BSD-2-Clause", "BSD-3-Clause", "ISC", "Zlib", "0BSD",
    "Unicode-3.0", "Unlicense", "CC0-1.0", "BSL-1.0", "MPL-2.0",
}
# Other people's work that is no crate: what it is, and where its licence stands.
BUNDLED = [
    ("three.js (the viewer page)", "MIT", "viewer/three.LICENSE"),
    ("Rust's standard library", "MIT OR Apache-2.0", "LICENSE-APACHE"),
    ("musl (the static program)", "MIT", "scripts/musl.COPYRIGHT"),
    ("DejaVu Sans, a subset (figures)", "Bitstream Vera", "crates/flexura-cli/fonts/LICENSE"),
]
FILES = ("LICENSE", "LICENCE", "COPYING", "NOTICE", "COPYRIGHT", "UNLICENSE")


def terms(expression):
    """Choices of a licence expression: lists of licences that hold together, any list suffices."""
    tokens = expression.replace("/", " OR ").replace("(", " ( ").replace(")", " ) ").split()
    position = 0

    def choice():
        nonlocal position
        found = both()
        while position < len(tokens) and tokens[position] == "OR":
            position += 1
            found = found + both()
        return found

    def both():
        nonlocal position
        found = one()
        while position < len(tokens) and tokens[position] == "AND":
            position += 1
            more = one()
            found = [a + b for a in found for b in more]
        return found

    def one():
        nonlocal position
        token = tokens[position]
        position += 1
        if token == "(":
            found = choice()
            position += 1
            return found
        if position + 1 < len(tokens) and tokens[position] == "WITH":
            token = f"{token} WITH {tokens[position + 1]}"
            position += 2
        return [[token]]

    return choice()


def allowed(expression):
    return any(all(name in ALLOWED for name in names) for names in terms(expression))


def crates(target):
    """Crates from registries that the program or the Python package links, in order of their names."""
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--offline"]
    if target:
        command += ["--filter-platform", target]
    asked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if asked.returncode:
        sys.exit(f"{asked.stderr}fetch the sources first: cargo fetch --locked")
    metadata = json.loads(asked.stdout)
    packages = {entry["id"]: entry for entry in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    starts = [key for key, entry in packages.items() if entry["name"] in PROGRAMS and entry["source"] is None]
    seen, waiting = set(), starts
    while waiting:
        key = waiting.pop()
        if key in seen:
            continue
        seen.add(key)
        for dependency in nodes[key]["deps"]:
            # Code that only builds or tests the program is not in it.
            if any(kind["kind"] is None for kind in dependency["dep_kinds"]):
                waiting.append(dependency["pkg"])
    return sorted((packages[key] for key in seen if packages[key]["source"]), key=lambda entry: (entry["name"], entry["version"]))


def checksums():
    lock = tomllib.loads((ROOT / "Cargo.lock").read_text())
    return {(entry["name"], entry["version"]): entry.get("checksum") for entry in lock["package"]}


def bill(version, found):
    known = checksums()
    components = []
    for entry in found:
        reference = f"pkg:cargo/{entry['name']}@{entry['version']}"
        component = {"type": "library", "bom-ref": reference, "purl": reference, "name": entry["name"], "version": entry["version"],
                     "licenses": [{"expression": entry["license"].replace("/", " OR ")}]}
        if known.get((entry["name"], entry["version"])):
            component["hashes"] = [{"alg": "SHA-256", "content": known[entry["name"], entry["version"]]}]
        components.append(component)
    program = {"type": "application", "bom-ref": f"pkg:cargo/flexura-cli@{version}", "name": "flexura", "version": version,
               "licenses": [{"expression": "MIT OR Apache-2.0"}]}
    return {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "metadata": {"component": program}, "components": components}


def notices(found):
    """Every licence text once, with the crates it belongs to."""
    texts, owners, silent = {}, {}, []
    for entry in found:
        folder = pathlib.Path(entry["manifest_path"]).parent
        files = sorted(path for path in folder.iterdir() if path.is_file() and path.name.upper().startswith(FILES))
        if not files:
            silent.append(entry)
        for path in files:
            text = path.read_text(errors="replace").strip()
            key = hashlib.sha256(text.encode()).hexdigest()
            texts[key] = text
            owners.setdefault(key, []).append(f"{entry['name']} {entry['version']}")
    lines = ["# Third-party notices", "", f"Flexura holds {len(found)} crates and {len(BUNDLED)} other works of other authors, under these licences.", "",
             "| crate | version | licence |", "|---|---|---|"]
    lines += [f"| {entry['name']} | {entry['version']} | {entry['license']} |" for entry in found]
    lines += [f"| {name} | | {licence} |" for name, licence, _ in BUNDLED]
    if silent:
        lines += ["", "Without a licence text in their package: " + ", ".join(entry["name"] for entry in silent) + "."]
    for key in sorted(texts, key=lambda key: owners[key]):
        lines += ["", "## " + ", ".join(owners[key]), "", "```text", texts[key].replace("```", "'''"), "```"]
    for name, _, path in BUNDLED:
        lines += ["", f"## {name}", "", "```text", (ROOT / path).read_text().strip(), "```"]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", help="target triple; all platforms without it")
    parser.add_argument("--sbom", type=pathlib.Path)
    parser.add_argument("--notices", type=pathlib.Path)
    options = parser.parse_args()
    found = crates(options.target)
    wrong = [entry for entry in found if not entry["license"] or not allowed(entry["license"])]
    for entry in wrong:
        print(f"{entry['name']} {entry['version']}: licence {entry['license']!r} is not on the list of scripts/third_party.py", file=sys.stderr)
    if wrong:
        sys.exit(1)
    version = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"]
    if options.sbom:
        options.sbom.write_text(json.dumps(bill(version, found), indent=1) + "\n")
    if options.notices:
        options.notices.write_text(notices(found))
    print(f"{len(found)} crates, all licences allowed")


if __name__ == "__main__":
    main()
