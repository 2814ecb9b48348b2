"""Pages that show a run in three dimensions."""

from __future__ import annotations

import html
import os
import pathlib
import tempfile
import webbrowser

_HEIGHT = 520


class Page:
    """A self-contained page; shows itself in notebooks."""

    def __init__(self, text: str) -> None:
        self.html = text
        """The page."""

    def __repr__(self) -> str:
        return f"<flexura.Page: {len(self.html) / 1e6:.1f} MB; .save(path) or .open()>"

    def _repr_html_(self) -> str:
        text = html.escape(self.html, quote=True)
        return f'<iframe srcdoc="{text}" width="100%" height="{_HEIGHT}" style="border:0"></iframe>'

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page to a file."""
        pathlib.Path(path).write_text(self.html, encoding="utf-8")

    def open(self) -> None:
        """Shows the page in the browser, from a temporary file."""
        descriptor, path = tempfile.mkstemp(suffix=".html", prefix="flexura-")
        os.close(descriptor)
        self.save(path)
        webbrowser.open(pathlib.Path(path).as_uri())
