"""The tutorial runs from top to bottom, without a network."""

from pathlib import Path

import pytest


def test_the_notebook_runs(pytestconfig: pytest.Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import nbformat
    from nbclient import NotebookClient

    monkeypatch.setenv("NUMPROBE_OFFLINE", "1")
    monkeypatch.chdir(tmp_path)
    notebook = nbformat.read(pytestconfig.rootpath / "docs/tutorial.ipynb", as_version=4)
    kept = [cell.outputs for cell in notebook.cells if cell.cell_type == "code"]
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    made = [cell.outputs for cell in notebook.cells if cell.cell_type == "code"]
    kinds = [[set(output.get("data", {})) for output in outputs] for outputs in made]
    assert kinds == [[set(output.get("data", {})) for output in outputs] for outputs in kept]
    assert {"text/html", "image/svg+xml"} <= {kind for outputs in kinds for found in outputs for kind in found}
    assert not any(output.output_type == "stream" and output.name == "stderr" for outputs in made for output in outputs)
