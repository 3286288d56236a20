"""A package from outside adds a task, a form, a probe, a metric and an embedder, each in one short file."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).with_name("plugin")
NAMES = {
    "tasks": "example-greater-than",
    "forms": "example-scientific",
    "probes": "example-ridge",
    "metrics": "example-median-error",
    "embedders": "example-digits",
}
SUITE = """
seeds = 2
[[cells]]
embedder = ["value", "example-digits:weight=2"]
task = "example-greater-than:pairs=200"
probe = "bilstm:most_steps=20"
range = "0:60"
[[cells]]
embedder = ["value", "example-digits"]
task = "decoding"
form = ["digits", "example-scientific"]
probe = ["example-ridge:alpha=0.5", "linear"]
range = "0:60"
"""


PROBE = (
    "probe",
    "--alone",
    "--embedder",
    "example-digits",
    "--range",
    "0:60",
    "--probe",
    "mlp:most_steps=100",
    "--seeds",
    "2",
)


class Place:
    """A folder with a suite and a store, where numprobe runs with the plug-in."""

    def __init__(self, folder: Path, path: str) -> None:
        self.folder = folder
        self.environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (path, os.getenv("PYTHONPATH"))))}

    def run(self, *arguments: str, code: int = 0) -> str:
        command = [sys.executable, "-m", "numprobe", *arguments]
        done = subprocess.run(command, cwd=self.folder, env=self.environment, capture_output=True, text=True)
        assert done.returncode == code, done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout if code == 0 else done.stderr


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    folder, installed = (tmp_path_factory.mktemp(name) for name in ("work", "installed"))
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "--target", str(installed), str(PACKAGE)], check=True)
    (folder / "mine.toml").write_text(SUITE)
    made = Place(folder, str(installed))
    made.run("run", "mine.toml", "--workers", "1")
    return made


def test_each_part_is_one_file_of_at_most_25_lines() -> None:
    files = [path for path in (PACKAGE / "numprobe_example").glob("*.py") if path.name != "__init__.py"]
    assert len(files) == len(NAMES)
    assert all(len(path.read_text().splitlines()) <= 25 for path in files)


def test_they_are_listed_and_described(place: Place) -> None:
    lists = json.loads(place.run("ls", "--json"))
    for kind, name in NAMES.items():
        assert name in lists[kind]
    assert lists["tasks"]["example-greater-than"] == "Which of two different numbers is larger? [pairs=1000]"


def test_they_stand_under_their_own_names_in_tables(place: Place) -> None:
    shown = place.run("show", "mine.toml", "--format", "markdown")
    for text in (
        "example-greater-than:pairs=200 (accuracy, bilstm:most_steps=20) [0,60]",
        "decoding (rmse, example-ridge:alpha=0.5) [0,60] in scientific notation",
        "decoding (rmse, linear) [0,60]",
        "| example-digits:weight=2 |",
    ):
        assert text in shown
    assert len(json.loads(place.run("show", "mine.toml", "--json"))) == 10


def test_a_metric_scores_what_was_answered_before(place: Place) -> None:
    shown = place.run("show", "mine.toml", "--metric", "example-median-error", "--format", "json")
    assert {row["metric"] for row in json.loads(shown)} == {"example-median-error"}
    assert "decoding (example-median-error, linear)" in place.run(
        "show", "mine.toml", "--metric", "example-median-error", "--format", "markdown"
    )
    refused = place.run("show", "mine.toml", "--metric", "example-median-eror", code=2)
    assert "did you mean 'example-median-error'?" in refused


def test_they_stand_on_the_page_in_charts_and_in_comparisons(place: Place) -> None:
    place.run("report", "mine.toml", "--out", "page.html")
    page = (place.folder / "page.html").read_text()
    for text in (
        "example-greater-than:pairs=200 (accuracy, bilstm:most_steps=20)",
        "[0,60] in scientific notation",
        "example-digits",
    ):
        assert text in page
    place.run(*PROBE, "--plot", "drawn.svg")
    assert "example-digits" in (place.folder / "drawn.svg").read_text()
    compared = json.loads(place.run("reproduce", "--compare", "mine.toml", "--json"))["compared"]
    assert {row["task"] for row in compared} == {"decoding", "example-greater-than:pairs=200"}
    assert "example-greater-than" in place.run("reproduce", "--compare", "mine.toml")


def test_a_result_names_the_version_of_the_package_of_each_part(place: Place) -> None:
    kept = [json.loads(path.read_text()) for path in (place.folder / "numprobe-results").glob("*.json")]
    assert len(kept) >= 10
    for result in kept:
        versions = result["settings"]["versions"]
        for kind in ("embedder", "task", "form", "probe"):
            is_plugged = result["cell"][kind].startswith("example-")
            own, _, package = versions[kind].partition(" ")
            assert own.isdigit()
            assert package == ("numprobe-example 1.0" if is_plugged else "")


def test_the_papers_findings_do_not_change(place: Place) -> None:
    findings = json.loads(place.run("reproduce", "--compare", "mine.toml", "--json"))["findings"]
    assert findings
    assert all(finding["holds"] is None for finding in findings)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--task", "list-maximum", "--probe", "example-ridge"],
            "probe 'example-ridge' can't answer task 'list-maximum'",
        ),
        (
            ["--form", "example-scientific", "--range", "0:99999"],
            "example-scientific writes 4 digits, and 99999 has more",
        ),
        (["--task", "list-maximum", "--metric", "example-median-error"], "scores a value, and no cell asks for one"),
        (["--probe", "example-ridge:alhpa=1"], "did you mean 'alpha'?"),
    ],
)
def test_what_does_not_fit_is_one_line(place: Place, arguments: list[str], message: str) -> None:
    said = place.run("probe", "--alone", "--embedder", "value", *arguments, code=2)
    assert message in said
    assert said.count("\n") == 1


def test_a_broken_package_leaves_everything_else_working(place: Place, tmp_path: Path) -> None:
    about = tmp_path / "acme-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: acme\nVersion: 1.0\n")
    points = "[numprobe.tasks]\nbroken = acme_is_not_there:Task\n[numprobe.metrics]\nrmse = json:JSONDecoder\n"
    (about / "entry_points.txt").write_text(points)
    broken = Place(place.folder, os.pathsep.join((str(tmp_path), place.environment["PYTHONPATH"])))
    command = [sys.executable, "-m", "numprobe", "show", "mine.toml", "--json"]
    done = subprocess.run(command, cwd=place.folder, env=broken.environment, capture_output=True, text=True)
    assert done.returncode == 0
    assert len(json.loads(done.stdout)) == 10
    assert sorted(done.stderr.splitlines()) == [
        "numprobe: the metric 'rmse' of acme is left out: numprobe.metrics has 'rmse' already",
        "numprobe: the task 'broken' of acme is left out: it can't be imported: No module named 'acme_is_not_there'",
    ]
