"""The notebooks run from top to bottom."""

from __future__ import annotations

import pytest

from places import ROOT

NOTEBOOKS = sorted((ROOT / "python/notebooks").glob("*.ipynb"))


def test_there_are_notebooks() -> None:
    assert len(NOTEBOOKS) >= 5


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path: object) -> None:
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells), "notebooks are committed without outputs"
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(ROOT / "python/notebooks")}}).execute()
