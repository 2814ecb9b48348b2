#!/usr/bin/env python3
"""Writes book/src/paper_table.md from book/papers/*.toml: every item of the four source papers, with code, command, evidence and verdict.

Standard library only, about a second. `--check` writes nothing and verifies that

- the page is up to date, ids are used once, every row has the fields of its kind of verdict;
- every equation, table and figure of a paper (`[has]` of its file) is in a row, and so is every entry of `flexura paper`,
  beside the file that the entry names;
- paths, functions, types, tests, errata, pages and the words quoted of them exist (functions of scripts/check_book.py);
- commands exist: subcommands and options of the program, cases of `validate`, equations of `paper`, models, test programs, benches;
- every quantity that a row cites is in book/src/validation_cases.md under its case, and none that carries a verdict "reproduced" failed.
"""

import re
import sys
import tomllib
from pathlib import Path

from check_book import ROOT, all_functions, called_faults, errata_items, files

DATA = ROOT / "book/papers"
PAGE = ROOT / "book/src/paper_table.md"
CHAPTER = ROOT / "book/src/validation_cases.md"
ENTRIES = ROOT / "crates/flexura-validate/src/papers"
CLI = ROOT / "crates/flexura-cli/src"
PAPERS = ["fdca", "jpl-90-26", "lugris-2007", "richard-2012"]
KINDS = ["method", "example", "table", "figure", "claim"]
VERDICTS = ["reproduced", "reproduced with erratum", "differs", "partly", "open"]
TEXTS = {"id", "kind", "at", "what", "verdict", "reason"}
LISTS = {"equations", "tables", "figures", "code", "run", "tests", "judged", "shown", "errata"}
ENTRY = re.compile(r"Entry \{\s*equations: &\[([^\]]*)\].*?file: \"([^\"]+)\",\s*function: \"([^\"]+)\"", re.DOTALL)
OPTION = re.compile(r"#\[arg\(([^\n]*\blong\b[^\n]*)\)\]\s*(?:pub(?:\([a-z]+\))? )?(\w+):")


def numbers(ranges: list[str]) -> set[str]:
    """Single numbers of ranges: 7.8-7.10 is 7.8, 7.9, 7.10."""
    found = set()
    for one in ranges:
        first, _, last = one.partition("-")
        chapter, _, begin = first.rpartition(".")
        end = (last or first).rpartition(".")[2]
        found |= {f"{chapter}.{n}".lstrip(".") for n in range(int(begin), int(end) + 1)}
    return found


def load(findings: list[str]) -> list[dict]:
    papers, ids = [], set()
    for name in PAPERS:
        paper = tomllib.loads((DATA / f"{name}.toml").read_text(encoding="utf-8"))
        paper["id"] = name
        for row in paper["row"]:
            row["id"] = f"{name}-{row.get('id', '?')}"
            if row["id"] in ids:
                findings.append(f"{row['id']}: id used twice")
            ids.add(row["id"])
        papers.append(paper)
    return papers


def check_fields(row: dict, findings: list[str]) -> None:
    name, verdict = row["id"], row.get("verdict")
    for key in row.keys() - TEXTS - LISTS:
        findings.append(f"{name}: no field {key}")
    for key in TEXTS - {"reason"}:
        if not row.get(key):
            findings.append(f"{name}: {key} is missing")
    for key in LISTS & row.keys():
        if not isinstance(row[key], list) or not row[key]:
            findings.append(f"{name}: {key} is a list")
    if row.get("kind") not in KINDS or verdict not in VERDICTS:
        findings.append(f"{name}: kind {row.get('kind')}, verdict {verdict}")
    if verdict in ("differs", "partly", "open") and len(row.get("reason", "")) < 30:
        findings.append(f"{name}: {verdict} needs a reason")
    if (verdict == "reproduced with erratum") != bool(row.get("errata")) and verdict in VERDICTS[:2]:
        findings.append(f"{name}: errata and verdict do not fit")
    if verdict == "open":
        return
    if not row.get("code"):
        findings.append(f"{name}: where in the code?")
    own = [command for command in row.get("run", []) if command.startswith("flexura ")]
    if not (own if verdict in VERDICTS[:2] else row.get("run")):
        findings.append(f"{name}: how to run it?")
    checked = any(command.startswith("flexura paper ") for command in own)
    if not checked and not any(row.get(key) for key in ("tests", "judged", "shown")):
        findings.append(f"{name}: no evidence")


def check_code(row: dict, findings: list[str]) -> None:
    """`path`, `path: function` or `path: Type`."""
    for place in row.get("code", []):
        path, _, called = place.partition(": ")
        if not (ROOT / path).exists():
            findings.append(f"{row['id']}: no {path}")
        elif called[:1].isupper() and "::" not in called:
            if not re.search(rf"\b(?:struct|enum|trait|type) {called}\b", (ROOT / path).read_text(encoding="utf-8")):
                findings.append(f"{row['id']}: no type {called} in {path}")
        elif called:
            findings += [f"{row['id']}: {fault}" for fault in called_faults(path, called)]


class Program:
    """Commands, options, cases and entries of `paper`, read from the source."""

    def __init__(self) -> None:
        commands = re.search(r"enum Command \{(.*?)\n\}", (CLI / "lib.rs").read_text(encoding="utf-8"), re.DOTALL)
        self.commands = {name.lower() for name in re.findall(r"^    ([A-Z]\w*)\(", commands[1], re.MULTILINE)}
        self.options = set()
        for source in files("crates/flexura-cli/src", ".rs"):
            for given, field in OPTION.findall(source.read_text(encoding="utf-8")):
                named = re.search(r"long = \"([\w-]+)\"", given)
                self.options.add(named[1] if named else field.replace("_", "-"))
        self.cases = set()
        for source in files("crates/flexura-validate/src/cases", ".rs"):
            self.cases |= set(re.findall(r"^    id: \"([\w-]+)\"", source.read_text(encoding="utf-8"), re.MULTILINE))
        self.entries: dict[str, list[tuple[list[str], str, str]]] = {}
        for source in sorted(ENTRIES.glob("*.rs")):
            text = source.read_text(encoding="utf-8")
            paper = re.search(r"^    id: \"([\w-]+)\"", text, re.MULTILINE)
            if paper:
                found = ENTRY.findall(text)
                if len(found) != text.count("Entry {"):
                    sys.exit(f"{source.name}: entries that this script cannot read")
                self.entries[paper[1]] = [(re.findall(r"\"([^\"]+)\"", eqs), file, name) for eqs, file, name in found]

    def faults(self, command: str) -> list[str]:
        """What does not exist of a command."""
        words = command.split()
        if words[0] == "cargo":
            return self.cargo_faults(words)
        if words[0] == "python3":
            return [] if (ROOT / words[1]).is_file() else [f"no {words[1]}"]
        if words[0] != "flexura" or words[1] not in self.commands:
            return [f"no command {' '.join(words[:2])}"]
        options = [word[2:] for word in words if word.startswith("--")]
        faults = [f"no option --{option}" for option in options if option not in self.options]
        faults += [f"no {word}" for word in words if word.endswith(".toml") and not (ROOT / word).is_file()]
        given = [word for word in words[2:] if not word.startswith("-") and not word.endswith(".html")]
        if words[1] == "validate":
            faults += [f"no case {word}" for word in given if word not in self.cases]
        if words[1] == "paper":
            known = self.entries.get(given[0], []) if given else []
            if given and not known:
                faults.append(f"no paper {given[0]}")
            if len(given) > 1 and not any(given[1] in numbers(equations) for equations, _, _ in known):
                faults.append(f"no entry {given[0]} {given[1]}")
        return faults

    @staticmethod
    def cargo_faults(words: list[str]) -> list[str]:
        after = dict(zip(words, words[1:]))
        crate = ROOT / "crates" / after.get("-p", "?")
        kind, name = ("tests", after.get("--test")) if words[1] == "test" else ("benches", after.get("--bench"))
        places = [crate / kind / f"{name}.rs", crate / kind / str(name) / "main.rs"]
        return [] if any(place.is_file() for place in places) else [f"no {' '.join(words)}"]


def chapter() -> dict[str, dict[str, tuple[str, str]]]:
    """Value and verdict of every quantity of every case, as the chapter of the book has them."""
    cases: dict[str, dict[str, tuple[str, str]]] = {}
    parts = re.split(r"^<a id=\"([\w-]+)\"></a>$", CHAPTER.read_text(encoding="utf-8"), flags=re.MULTILINE)
    for name, text in zip(parts[1::2], parts[2::2]):
        rows = [line.strip("| ").split(" | ") for line in text.split("\n") if line.startswith("| ")]
        cases[name] = {row[0]: (row[1], row[-1]) for row in rows if len(row) > 3 and row[0] != "quantity"}
    return cases


def check_evidence(row: dict, tests: set[str], cases: dict, findings: list[str]) -> None:
    findings += [f"{row['id']}: no test {test}" for test in row.get("tests", []) if test not in tests]
    findings += [f"{row['id']}: no erratum {item}" for item in row.get("errata", []) if item not in errata_items()]
    for judged in row.get("judged", []):
        case, _, quantity = judged.partition(": ")
        verdict = cases.get(case, {}).get(quantity, ("", "missing"))[1]
        if verdict == "missing":
            findings.append(f"{row['id']}: no quantity {judged}")
        elif verdict == "fail":
            findings.append(f"{row['id']}: {judged} fails")
    for shown in row.get("shown", []):
        page, _, words = shown.partition(": ")
        text = (ROOT / page).read_text(encoding="utf-8") if (ROOT / page).is_file() else ""
        if not words or " ".join(words.split()) not in " ".join(text.split()):
            findings.append(f"{row['id']}: {page} does not say {words!r}")


def check_complete(paper: dict, entries: list[tuple[list[str], str, str]], findings: list[str]) -> None:
    """Every equation, table and figure, and every entry of `flexura paper`, is in a row."""
    for key in ("equations", "tables", "figures"):
        known = numbers(paper["has"].get(key, []))
        covered = set().union(*(numbers(row.get(key, [])) for row in paper["row"]))
        # The entries cite section 9 of JPL 90-26 as an equation, which the report does not have.
        for what, rest in (("in no row", known - covered), ("not in the paper", covered - known - {"9.2"})):
            if rest:
                findings.append(f"{paper['id']}: {key} {what}: {', '.join(sorted(rest))}")
    for equations, file, name in entries:
        rows = [row for row in paper["row"] if numbers(equations) <= numbers(row.get("equations", []))]
        if not any(place.partition(": ")[0] == file for row in rows for place in row.get("code", [])):
            findings.append(f"{paper['id']}: entry {', '.join(equations)} ({file}: {name}) is in no row that names the file")


def short(place: str) -> str:
    path, _, called = place.partition(": ")
    if path.startswith("book/src/"):
        return f"[{Path(path).stem}]({path.removeprefix('book/src/')})"
    path = path.removeprefix("crates/flexura/src/").removeprefix("crates/")
    return f"`{path}`" + (f" `{called}`" if called else "")


def evidence(row: dict, cases: dict) -> str:
    parts = []
    for judged in row.get("judged", []):
        case, _, quantity = judged.partition(": ")
        value, verdict = cases.get(case, {}).get(quantity, ("", ""))
        parts.append(f"[{case}](validation_cases.md#{case}): {quantity}: {value} ({verdict})")
    for shown in row.get("shown", []):
        page, _, words = shown.partition(": ")
        page = page.removeprefix("book/src/")
        words = words.strip("| ").replace(" | ", " · ")
        parts.append(f"[{page.removesuffix('.md')}]({page}): “{words}”")
    if row.get("tests"):
        parts.append("tests " + ", ".join(f"`{test}`" for test in row["tests"]))
    return "<br>".join(parts) or "the check of the command"


def line(row: dict, cases: dict) -> str:
    places = [("eq.", "equations"), ("table", "tables"), ("figure", "figures")]
    numbered = [f"{word} {', '.join(row[key])}" for word, key in places if row.get(key)]
    where = "; ".join([row["at"], *numbered])
    verdict = f"**{row['verdict']}**"
    if row.get("errata"):
        verdict += " " + ", ".join(f"[{item}](theory/errata.md#{item})" for item in row["errata"])
    if row.get("reason"):
        verdict += f": {row['reason']}"
    parts = {
        "code": ", ".join(short(place) for place in row.get("code", [])),
        "run": "<br>".join(f"`{command}`" for command in row.get("run", [])),
        "shown": evidence(row, cases) if row.get("run") else "",
    }
    how = "<br>".join(f"*{word}* {text}" for word, text in parts.items() if text)
    item = f"<a id=\"{row['id']}\"></a>**{row['kind']}**, {where}<br>{row['what']}"
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in (item, how, verdict)) + " |"


def summary(papers: list[dict]) -> str:
    out = ["| paper | items | " + " | ".join(VERDICTS) + " |", "|---|--:|" + "--:|" * len(VERDICTS)]
    total = [0] * len(VERDICTS)
    for paper in papers:
        counts = [sum(row["verdict"] == verdict for row in paper["row"]) for verdict in VERDICTS]
        total = [a + b for a, b in zip(total, counts)]
        out.append(f"| [`{paper['id']}`](#{paper['id']}) | {sum(counts)} | " + " | ".join(map(str, counts)) + " |")
    out.append(f"| all | {sum(total)} | " + " | ".join(map(str, total)) + " |")
    for verdict in ("partly", "open"):
        links = [f"[{row['id']}](#{row['id']})" for paper in papers for row in paper["row"] if row["verdict"] == verdict]
        out += ["", f"{verdict.capitalize()}: " + (", ".join(links) or "none") + "."]
    return "\n".join(out)


HEAD = """# Papers, item by item

<!-- Written by scripts/paper_table.py from book/papers; do not edit. -->

One row for every method, example, table, figure and claim of the four source papers: what the paper has, where it is in the code, how to run it, what shows it, and
a verdict. [Equation by equation](papers.md) are the entries of `flexura paper`; numbers after a case of `flexura validate` are those of
[its chapter](validation_cases.md), words in quotes those of the page.

- **reproduced**: done as the paper says, and shown; **with erratum**: after a [correction](theory/errata.md) of the paper.
- **differs**: done and measured, with another result or in another way than the paper, for the reason given.
- **partly**: some of it is missing, or cannot be compared, for the reason given. **open**: missing.
"""


def page(papers: list[dict], cases: dict) -> str:
    out = [HEAD, summary(papers)]
    for paper in papers:
        rows = [line(row, cases) for row in paper["row"]]
        out.append(f"\n<a id=\"{paper['id']}\"></a>\n\n## {paper['name']}\n\n{paper['title']}\n")
        out.append("| in the paper | where, how to run it, shown by | verdict |\n|---|---|---|\n" + "\n".join(rows))
    return "\n".join(out) + "\n"


def main() -> int:
    if not set(sys.argv[1:]) <= {"--check"}:
        sys.exit(__doc__)
    findings: list[str] = []
    papers, program, cases, tests = load(findings), Program(), chapter(), all_functions()
    for paper in papers:
        for row in paper["row"]:
            check_fields(row, findings)
            check_code(row, findings)
            check_evidence(row, tests, cases, findings)
            findings += [f"{row['id']}: {fault}" for command in row.get("run", []) for fault in program.faults(command)]
        check_complete(paper, program.entries.get(paper["id"], []), findings)
    if not findings:
        fresh = page(papers, cases)
        if "--check" not in sys.argv[1:]:
            PAGE.write_text(fresh, encoding="utf-8")
        elif not PAGE.exists() or PAGE.read_text(encoding="utf-8") != fresh:
            findings.append(f"out of date: {PAGE.relative_to(ROOT)}; run scripts/paper_table.py and look at it")
    if findings:
        print("\n".join(findings), file=sys.stderr)
        print(f"{len(findings)} findings in the table of the papers", file=sys.stderr)
        return 1
    entries = sum(map(len, program.entries.values()))
    print(f"{sum(len(paper['row']) for paper in papers)} items of {len(papers)} papers, {entries} entries of `flexura paper` in them")
    return 0


if __name__ == "__main__":
    sys.exit(main())
