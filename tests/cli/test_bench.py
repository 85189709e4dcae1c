"""How figures meet their targets."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from motionloom.cli.commands import bench
from motionloom.errors import BadInput

CHECKOUT = Path(__file__).resolve().parents[2]


def a_figure(value, better="higher"):
    return {"name": "speed", "value": value, "unit": "m/s", "better": better, "paper": None, "peer": None}


def a_target(target, better="higher"):
    return {"bench": "b", "name": "speed", "unit": "m/s", "better": better, "target": target}


@pytest.mark.parametrize(
    ("value", "better", "met"),
    [(3.0, "higher", True), (2.9, "higher", False), (3.0, "lower", True), (3.1, "lower", False)],
)
def test_a_figure_meets_its_target_on_the_right_side(value, better, met):
    assert bench.join_target(a_figure(value, better), a_target("3", better))["met"] is met


def test_a_figure_without_a_target_is_neither_met_nor_missed():
    joined = bench.join_target(a_figure(3.0), None)
    assert joined["met"] is None
    assert joined["target"] is None


def test_a_target_in_another_unit_is_refused():
    with pytest.raises(BadInput, match="is measured in m/s"):
        bench.join_target(a_figure(3.0), {**a_target("3"), "unit": "cm/s"})


def test_a_target_that_nothing_measured_counts_as_missed(tmp_path):
    folder = tmp_path / "benchmarks" / "toy_bench"
    folder.mkdir(parents=True)
    (tmp_path / "benchmarks" / "__init__.py").write_text("")
    (folder / "__init__.py").write_text("def figures(data):\n    return []\n")
    import sys

    saved = {name: sys.modules.pop(name) for name in list(sys.modules) if name.split(".")[0] == "benchmarks"}
    try:
        figures = bench.run_bench(tmp_path, "toy_bench", {"speed": a_target("3")})
    finally:
        for name in [n for n in sys.modules if n.split(".")[0] == "benchmarks"]:
            sys.modules.pop(name)
        sys.modules.update(saved)
    assert [(f["name"], f["value"], f["met"]) for f in figures] == [("speed", None, False)]


def test_every_target_names_a_benchmark_that_exists():
    checkout = bench.find_checkout()
    targets = bench.read_targets(checkout / "benchmarks" / "targets.csv")
    folders = {path.parent.name for path in (checkout / "benchmarks").glob("*/__init__.py")}
    assert set(targets) <= folders
    for rows in targets.values():
        for row in rows.values():
            assert row["better"] in ("higher", "lower")
            float(row["target"])


def test_bench_prints_json_with_the_agreed_fields(motionloom, monkeypatch):
    monkeypatch.setattr(bench, "run_bench", lambda *a: [bench.join_target(a_figure(3.0), a_target("3"))])
    ran = motionloom("bench", "fk", "--json")
    assert ran.code == 0
    assert set(json.loads(ran.out)["figures"][0]) == {
        "name",
        "value",
        "unit",
        "better",
        "target",
        "met",
        "paper",
        "peer",
    }


def test_every_benchmark_can_be_imported_first():
    script = """
import importlib, sys
from pathlib import Path
sys.path.insert(0, ".")
for name in sorted(path.parent.name for path in Path("benchmarks").glob("*/__init__.py")):
    for loaded in [module for module in sys.modules if module.split(".")[0] == "benchmarks"]:
        del sys.modules[loaded]
    assert callable(importlib.import_module(f"benchmarks.{name}").figures), name
"""
    run = subprocess.run([sys.executable, "-c", script], cwd=CHECKOUT, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
