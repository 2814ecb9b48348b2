#!/usr/bin/env python3
"""Checks the theory part of the book against the repository (standard library only, about a second).

- Every equation tag is used once and has the prefix of its page.
- Every tag that a page, a comment or a document cites exists, and stands on the page that is cited with it.
- Every path that a theory page names, and every page of the book that code or documents name, exists.
- Every test named under "Checks" and every item of the errata that is cited exists.
- Every page of an algorithm has its symbols, code, cost, source and checks.
- Files shown in pages ("<!-- text of FILE -->" before a block) are shown as they are; `--update` copies them anew.
"""

import os
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
THEORY = ROOT / "book/src/theory"

TAG = re.compile(r"\\tag\{([^}]*)\}")
FORM = re.compile(r"^([A-Z]{2})\.(\d+)[a-z]?$")
CITED = re.compile(r"\b([A-Z]{2})\.(\d+[a-z]?)\b")
PAGE = re.compile(r"(?:book/src|docs)/[\w./-]+\.(?:md|svg)")
PATH = re.compile(r"`((?:crates|book|scripts|models|python|viewer|docs)/[^`\s]*)`")
TEST = re.compile(r"`([a-z][a-z0-9]*(?:_[a-z0-9]+)+)`")
ERRATUM = re.compile(r"\berrata ((?:[A-F]\d+(?:-[A-F]?\d+)?(?:, (?=[A-F]\d))?)+)")
SHOWN = re.compile(r"<!-- text of (\S+) -->\n```(\w*)\n(.*?)```", re.DOTALL)
SECTIONS = ["Symbols", "In the code", "Cost", "Source", "Checks"]
LEFT_OUT = {"target", "node_modules", "dist", "__pycache__"}
# Pages about the whole, data and history: no algorithm of their own.
OTHER = {"overview.md", "conventions.md", "golden.md", "errata.md", "migration_gram.md"}

# Written by `flexura validate --chapter` from the cases, whose texts are checked where they stand.
GENERATED = "book/src/validation_cases.md"


def files(folder: str, *endings: str) -> list[Path]:
    """Files below a folder of the repository, without what was built or installed."""
    found = []
    for place, folders, names in os.walk(ROOT / folder):
        folders[:] = sorted(name for name in folders if name not in LEFT_OUT and not name.startswith("."))
        found += [Path(place) / name for name in sorted(names) if name.endswith(endings)]
    return found


def lines_of(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")


def collect_tags(findings: list[str]) -> dict[str, str]:
    """Page of every tag."""
    pages: dict[str, str] = {}
    prefixes: dict[str, str] = {}
    for page in sorted(THEORY.glob("*.md")):
        numbers = []
        for tag in TAG.findall(page.read_text(encoding="utf-8")):
            form = FORM.match(tag)
            if not form:
                findings.append(f"{page.name}: tag {tag} is not of the form AB.1")
                continue
            if tag in pages:
                findings.append(f"{page.name}: tag {tag} is used in {pages[tag]} too")
            pages[tag] = page.name
            numbers.append(int(form[2]))
            if prefixes.setdefault(form[1], page.name) != page.name:
                findings.append(f"{page.name}: prefix {form[1]} belongs to {prefixes[form[1]]}")
        if numbers != list(range(1, len(numbers) + 1)):
            findings.append(f"{page.name}: equations are numbered {numbers}")
    return pages


def check_line(name: str, number: int, line: str, tags: dict[str, str], findings: list[str]) -> None:
    """Pages and tags that one line cites; tags belong to the page before them."""
    prefixes = {tag[:2] for tag in tags}
    page = None
    for match in re.finditer(f"{PAGE.pattern}|{CITED.pattern}", line):
        text = match[0]
        if "/" in text:
            page = text
            if not (ROOT / page).exists():
                findings.append(f"{name}:{number}: no {page}")
        elif text[:2] in prefixes or (page and "/theory/" in page):
            if text not in tags:
                findings.append(f"{name}:{number}: no equation ({text})")
            elif page and "/theory/" in page and not page.endswith("/" + tags[text]):
                findings.append(f"{name}:{number}: ({text}) is on {tags[text]}, not on {page}")


def check_citations(tags: dict[str, str], findings: list[str]) -> int:
    cited = 0
    for path in files(".", ".rs", ".py", ".md", ".toml", ".ts", ".mjs"):
        name = path.relative_to(ROOT).as_posix()
        if name == GENERATED:
            continue
        for number, line in enumerate(lines_of(path), 1):
            if "book/src" in line or "docs/" in line or CITED.search(line):
                cited += len(CITED.findall(line))
                check_line(name, number, line, tags, findings)
    return cited


def check_errata(findings: list[str]) -> None:
    items = set(re.findall(r'<a id="([A-F]\d+)">', (THEORY / "errata.md").read_text(encoding="utf-8")))
    for path in files(".", ".rs", ".md"):
        for number, line in enumerate(lines_of(path), 1):
            for cited in ERRATUM.findall(line):
                for item in re.findall(r"[A-F]\d+", cited):
                    if item not in items:
                        findings.append(f"{path.relative_to(ROOT)}:{number}: no item {item} in the errata")


def check_pages(findings: list[str]) -> None:
    source = "\n".join(path.read_text(encoding="utf-8") for path in files("crates", ".rs"))
    functions = set(re.findall(r"\bfn (\w+)", source))
    for page in sorted(THEORY.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        for path in PATH.findall(text):
            if not (ROOT / path).exists():
                findings.append(f"{page.name}: no {path}")
        checks = text.split("\n## Checks\n")[1:]
        for test in TEST.findall("".join(checks)):
            if test not in functions:
                findings.append(f"{page.name}: no test {test}")
        if page.name not in OTHER:
            for section in SECTIONS:
                if f"\n## {section}\n" not in text:
                    findings.append(f"{page.name}: no section {section}")
            if not TAG.search(text):
                findings.append(f"{page.name}: no numbered equation")


def check_shown(update: bool, findings: list[str]) -> int:
    """Files shown in pages, so that these can be read as plain text."""
    shown = 0
    for page in sorted((ROOT / "book/src").rglob("*.md")):
        text = page.read_text(encoding="utf-8")

        def renewed(match: re.Match[str]) -> str:
            nonlocal shown
            shown += 1
            path = page.parent / match[1]
            if not path.exists():
                findings.append(f"{page.name}: no {match[1]}")
                return match[0]
            return f"<!-- text of {match[1]} -->\n```{match[2]}\n{path.read_text(encoding='utf-8').rstrip()}\n```"

        fresh = SHOWN.sub(renewed, text)
        if fresh != text and update:
            page.write_text(fresh, encoding="utf-8")
        elif fresh != text:
            findings.append(f"{page.name}: a file shown has changed; run scripts/check_book.py --update")
    return shown


def main() -> int:
    findings: list[str] = []
    shown = check_shown("--update" in sys.argv[1:], findings)
    tags = collect_tags(findings)
    cited = check_citations(tags, findings)
    check_errata(findings)
    check_pages(findings)
    if findings:
        print("\n".join(findings), file=sys.stderr)
        print(f"{len(findings)} findings in the theory of the book", file=sys.stderr)
        return 1
    print(f"{len(tags)} equations, cited {cited} times; {shown} files shown")
    return 0


if __name__ == "__main__":
    sys.exit(main())
