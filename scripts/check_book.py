#!/usr/bin/env python3
"""Checks the book and the documents at the root against the repository (standard library only, about a second).

- Every equation tag is used once and has the prefix of its page.
- Every tag that a page, a comment or a document cites exists, and stands on the page that is cited with it.
- Every path that a page of the book, a document or a comment of the code names exists, and so does every page of the
  book that code or documents name; every function named behind a file (`crates/…/mod.rs: build`) stands in it.
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
CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
LINK = re.compile(r"\]\(([^)#\s]+)")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
# Paths: from a folder of the root; short forms with an ending of ours; folders in code, such as `formulation/global`.
FOLDERS = "crates|book|scripts|models|python|viewer|docs"
PATH = re.compile(rf"(?<![\w./-])(?:\./)?((?:{FOLDERS})/[\w./*-]*[\w/*])")
SHORT = re.compile(r"(?<![\w./:-])((?:[\w-]+/)*[\w-]+\.(?:rs|py|ts|mjs))\b")
FOLDER = re.compile(r"^([a-z_]+)/[a-z_/]*$")
CALLED = re.compile(r"`(crates/[\w./-]+\.rs): ([\w:]+)`|→\s+`(\w+)`")
TEST = re.compile(r"`([a-z][a-z0-9]*(?:_[a-z0-9]+)+)`")
ERRATUM = re.compile(r"\berrata ((?:[A-F]\d+(?:-[A-F]?\d+)?(?:, (?=[A-F]\d))?)+)")
SHOWN = re.compile(r"<!-- text of (\S+) -->\n```(\w*)\n(.*?)```", re.DOTALL)
SECTIONS = ["Symbols", "In the code", "Cost", "Source", "Checks"]
LEFT_OUT = {"target", "node_modules", "dist", "__pycache__"}
# Pages about the whole, data and history: no algorithm of their own.
OTHER = {"overview.md", "conventions.md", "golden.md", "errata.md", "migration_gram.md"}

# Written by `flexura validate --chapter` from the cases, whose texts are checked where they stand.
GENERATED = "book/src/validation_cases.md"
# Documents beside the book. The changelog tells of files as they were called: only its links are checked.
DOCUMENTS = ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md"]
HISTORY = "CHANGELOG.md"


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


def errata_items() -> set[str]:
    return set(re.findall(r'<a id="([A-F]\d+)">', (THEORY / "errata.md").read_text(encoding="utf-8")))


def check_errata(findings: list[str]) -> None:
    items = errata_items()
    for path in files(".", ".rs", ".md"):
        for number, line in enumerate(lines_of(path), 1):
            for cited in ERRATUM.findall(line):
                for item in re.findall(r"[A-F]\d+", cited):
                    if item not in items:
                        findings.append(f"{path.relative_to(ROOT)}:{number}: no item {item} in the errata")


def all_functions() -> set[str]:
    """Names of all functions of the crates, tests included."""
    source = "\n".join(path.read_text(encoding="utf-8") for path in files("crates", ".rs"))
    return set(re.findall(r"\bfn (\w+)", source))


def check_pages(findings: list[str]) -> None:
    functions = all_functions()
    for page in sorted(THEORY.glob("*.md")):
        text = page.read_text(encoding="utf-8")
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


def short_forms() -> tuple[set[str], set[str]]:
    """Files and folders as pages may call them: from the sources of a crate, from the crate, from all crates; names."""
    forms, names = set(), set()
    for path in files("crates", ".rs", ".py") + files("viewer", ".ts", ".mjs") + files("python", ".py", ".pyi"):
        parts = path.relative_to(ROOT).parts
        names.add(parts[-1])
        for first in (1, 2, 3):
            for last in range(first + 1, len(parts) + 1):
                forms.add("/".join(parts[first:last]))
    return forms, names


def named_paths(text: str, folders: set[str]) -> list[str]:
    """Paths that a page names, without those of its blocks: they belong to whoever reads it."""
    text = FENCE.sub("", text)
    found = PATH.findall(text) + [short for short in SHORT.findall(text) if not PATH.match(short)]
    for code in CODE.findall(text):
        folder = FOLDER.match(code)
        if folder and folder[1] in folders:
            found.append(code)
    return found


def exists(path: str, forms: set[str], names: set[str]) -> bool:
    if "*" in path:
        return any(ROOT.glob(path))
    return (ROOT / path).exists() or path.rstrip("/") in (forms if "/" in path else names)


def check_paths(findings: list[str]) -> int:
    """Paths and links of documents and pages."""
    (forms, names), checked = short_forms(), 0
    folders = {path.name for path in ROOT.glob("crates/*/src/*") if path.is_dir()} | {"tests", "src"}
    pages = [path for path in files("book/src", ".md") if path.relative_to(ROOT).as_posix() != GENERATED]
    for page in [ROOT / name for name in [*DOCUMENTS, HISTORY]] + pages + files("crates", ".md"):
        name, text = page.relative_to(ROOT).as_posix(), page.read_text(encoding="utf-8")
        for path in [] if name == HISTORY else named_paths(text, folders):
            checked += 1
            if not exists(path, forms, names):
                findings.append(f"{name}: no {path}")
        # Links of the book are checked where it is built.
        for link in LINK.findall(FENCE.sub("", text)) if page.parent == ROOT else []:
            checked += 1
            if "://" not in link and not (ROOT / link).exists():
                findings.append(f"{name}: no {link}")
    for source in files("crates", ".rs"):
        comments = "\n".join(line for line in lines_of(source) if line.lstrip().startswith("//"))
        for path in named_paths(comments, folders):
            checked += 1
            # A comment may also name what stands beside its file.
            beside = any((source.parent / (path + end)).exists() for end in ("", ".rs"))
            if not beside and not exists(path, forms, names):
                findings.append(f"{source.relative_to(ROOT)}: no {path}")
    return checked


def called_faults(path: str, function: str) -> list[str]:
    """What is wrong with a function, or `Type::function`, named behind its file."""
    text = (ROOT / path).read_text(encoding="utf-8") if (ROOT / path).is_file() else ""
    owner, _, method = function.rpartition("::")
    faults = []
    if not re.search(rf"\bfn {method}\b", text):
        faults.append(f"no function {method} in {path}")
    if owner and not re.search(rf"^impl\b[^{{]*\b{owner}\b", text, re.MULTILINE):
        faults.append(f"no methods of {owner} in {path}")
    return faults


def check_called(findings: list[str]) -> int:
    """Functions named behind their file, and further ones of it: `crates/…/build/mod.rs: build` → `build_tree`."""
    named = 0
    for page in files("book/src", ".md") + [ROOT / name for name in DOCUMENTS]:
        path = ""
        for file, function, further in CALLED.findall(page.read_text(encoding="utf-8")):
            path, function = file or path, function or further
            if not path:
                continue
            named += 1
            findings += [f"{page.name}: {fault}" for fault in called_faults(path, function)]
    return named


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


def check_filled(findings: list[str]) -> None:
    """Places of numbers that were to be measured are filled."""
    for path in [*files("book/src", ".md"), *files("book/papers", ".toml")]:
        for number, line in enumerate(lines_of(path), 1):
            if "FIGURES" in line:
                findings.append(f"{path.relative_to(ROOT) if path.is_absolute() else path}:{number}: FIGURES stands where numbers belong")


def main() -> int:
    findings: list[str] = []
    shown = check_shown("--update" in sys.argv[1:], findings)
    tags = collect_tags(findings)
    cited = check_citations(tags, findings)
    check_errata(findings)
    check_pages(findings)
    check_filled(findings)
    paths, called = check_paths(findings), check_called(findings)
    if findings:
        print("\n".join(findings), file=sys.stderr)
        print(f"{len(findings)} findings in the book and the documents", file=sys.stderr)
        return 1
    print(f"{len(tags)} equations, cited {cited} times; {shown} files shown; {paths} paths, {called} functions named")
    return 0


if __name__ == "__main__":
    sys.exit(main())
