#!/usr/bin/env python3
"""Puts pictures beside each other on sheets, to be looked at; or each beside what it was.

    scripts/contact_sheets.py book/src/pictures viewer/test/reference -o target/sheets
    scripts/contact_sheets.py --before COMMIT book/src/pictures/crane.png ... -o target/sheets/before
    scripts/contact_sheets.py --viewer COMMIT --flexura PATH engine.fxr::0.0042 modes.fxr::0.2 -o target/sheets/viewers

Folders stand for the pictures in them (PNG, SVG, GIF: a film by its first picture). With --before every picture stands beside
the one of that commit, or the words that there was none. With --viewer results are drawn twice at the time behind `::`: by
the viewer of that commit and by this one, for models of which no old picture was kept. Needs Chromium and nothing else.
"""

import argparse
import base64
import html
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
CHROMIUM = os.environ.get("FLEXURA_CHROMIUM", "/usr/bin/chromium")
KINDS = {".png": "image/png", ".svg": "image/svg+xml", ".gif": "image/gif"}
PER_SHEET, COLUMNS, WIDTH = 12, 3, 1500  # pictures, in a row, pixels of a sheet
STYLE = """body { margin: 8px; font: 15px sans-serif; background: #fff; } h1 { font-size: 18px; margin: 4px; }
main { display: grid; gap: 8px; } figure { margin: 0; border: 1px solid #999; } figcaption { background: #eee; padding: 2px 6px; }
img { width: 100%; height: VPX; object-fit: contain; display: block; } p { text-align: center; color: #777; height: VPX; }"""


def pictures(names):
    """All pictures named, those of a folder in their order."""
    for name in names:
        path = pathlib.Path(name)
        yield from sorted(p for p in path.iterdir() if p.suffix in KINDS) if path.is_dir() else [path]


def resolved(commit):
    """The whole name of a commit, which may be given as any revision."""
    done = subprocess.run(["git", "rev-parse", "--verify", f"{commit}^{{commit}}"], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else sys.exit(f"{commit}: no such commit")


def at_commit(commit, path):
    """The file as it was, or None."""
    inside = path.resolve().relative_to(ROOT)
    done = subprocess.run(["git", "show", f"{commit}:{inside}"], cwd=ROOT, capture_output=True)
    return done.stdout if done.returncode == 0 else None


def figure(words, kind, content):
    """A picture with words above it; without content what stands in its place."""
    if content is None:
        return f"<figure><figcaption>{html.escape(words)}</figcaption><p>no such picture</p></figure>"
    data = base64.b64encode(content).decode()
    return f'<figure><figcaption>{html.escape(words)}</figcaption><img src="data:{kind};base64,{data}"></figure>'


def chromium(page, target, size):
    """A picture of a page; scripts in it have their time."""
    words = [CHROMIUM, "--headless", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--hide-scrollbars"]
    words += [f"--window-size={size[0]},{size[1]}", "--virtual-time-budget=8000", f"--screenshot={target}", page.as_uri()]
    done = subprocess.run(words, capture_output=True, text=True)
    if not target.exists():
        sys.exit(f"{target}: Chromium drew nothing: {done.stderr[-500:]}")


def write_sheets(figures, columns, folder):
    """Pages of figures, drawn one by one."""
    folder.mkdir(parents=True, exist_ok=True)
    height = round(WIDTH / columns * 0.62)
    per_sheet = PER_SHEET - PER_SHEET % columns
    for number, start in enumerate(range(0, len(figures), per_sheet), 1):
        some = figures[start : start + per_sheet]
        rows = -(-len(some) // columns)
        style = STYLE.replace("V", str(height)) + f"main {{ grid-template-columns: repeat({columns}, 1fr); }}"
        target = folder / f"sheet_{number:02}.png"
        target.unlink(missing_ok=True)
        with tempfile.TemporaryDirectory() as scratch:
            page = pathlib.Path(scratch) / "sheet.html"
            page.write_text(f"<!doctype html><meta charset=utf-8><style>{style}</style><main>{''.join(some)}</main>")
            chromium(page, target, (WIDTH, rows * (height + 36) + 16))
        print(target)


def saved(flexura, result, folder):
    """The page that shows a result."""
    page = folder / "page.html"
    subprocess.run([flexura, "view", result, "--save", str(page)], check=True, capture_output=True)
    return page.read_text()


def by_viewer(text, script, style, time, target):
    """Draws a saved page at a time, by this program of a viewer in place of its own."""
    if script is not None:
        # The page has its style in one element, its program in the last one.
        text = re.sub(r"<style>.*?</style>", lambda _: f"<style>{style}</style>", text, count=1, flags=re.S)
        start = text.rindex("<script>")
        text = f"{text[:start]}<script>{script}</script></body></html>"
    seek = f"<script>const wait = setInterval(() => {{ if (!window.flexura) return; clearInterval(wait); flexura.seek({time}); }}, 50);</script>"
    # A saved page allows no script but those inside it, of which this is one now.
    with tempfile.TemporaryDirectory() as scratch:
        page = pathlib.Path(scratch) / "page.html"
        page.write_text(text.replace("</body>", f"{seek}</body>"))
        chromium(page, target, (1280, 760))
    return target.read_bytes()


def drawn_twice(commit, flexura, wishes):
    """Figures of results by the viewer of a commit and by this one."""
    script, style = (at_commit(commit, ROOT / f"viewer/dist/viewer.{end}") for end in ("js", "css"))
    if script is None or style is None:
        sys.exit(f"{commit} has no viewer/dist")
    figures = []
    for wish in wishes:
        result, _, time = wish.partition("::")
        name = pathlib.Path(result).stem
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            text = saved(flexura, result, folder)
            old = by_viewer(text, script.decode(), style.decode(), time or 0, folder / "old.png")
            new = by_viewer(text, None, None, time or 0, folder / "new.png")
        figures += [figure(f"{name}: viewer of {commit[:8]}", KINDS[".png"], old), figure(f"{name}: now", KINDS[".png"], new)]
    return figures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pictures", nargs="+", help="pictures, folders, or results with --viewer")
    parser.add_argument("-o", "--output", default=str(ROOT / "target/sheets"))
    parser.add_argument("--columns", type=int, default=COLUMNS)
    parser.add_argument("--before", metavar="COMMIT", help="beside each picture that of this commit")
    parser.add_argument("--viewer", metavar="COMMIT", help="draw results by the viewer of this commit, and by this one")
    parser.add_argument("--flexura", default=os.environ.get("FLEXURA_BINARY", str(ROOT / "target/release/flexura")))
    options = parser.parse_args()
    options.before, options.viewer = (commit and resolved(commit) for commit in (options.before, options.viewer))
    if options.viewer:
        figures = drawn_twice(options.viewer, options.flexura, options.pictures)
    elif options.before:
        figures = []
        for path in pictures(options.pictures):
            kind, name = KINDS[path.suffix], path.stem
            figures.append(figure(f"{name}: {options.before[:8]}", kind, at_commit(options.before, path)))
            figures.append(figure(f"{name}: now", kind, path.read_bytes()))
    else:
        figures = [figure(str(path.name), KINDS[path.suffix], path.read_bytes()) for path in pictures(options.pictures)]
    columns = 2 if options.viewer or options.before else options.columns
    write_sheets(figures, columns, pathlib.Path(options.output))


if __name__ == "__main__":
    main()
