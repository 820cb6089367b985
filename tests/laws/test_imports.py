"""What `gonogo check` loads: a quick start, and nothing that only a model, a cloud or a forecast needs."""

import subprocess
import sys
from pathlib import Path

from scripts.build_demo import EXAMPLE, build_example

HEAVY = {
    "anthropic",
    "boto3",
    "botocore",
    "torch",
    "scipy",
    "numpy",
    "pandas",
    "networkx",
    "httpx",
    "requests",
    "fastapi",
    "redis",
}
RUN = """
import sys
from bot.entrypoints.cli.app import main
status = main(sys.argv[1:])
print("LOADED", *sorted({name.split(".")[0] for name in sys.modules}), file=sys.stderr)
sys.exit(status)
"""


def loaded_by(*arguments: str | Path) -> set[str]:
    done = subprocess.run([sys.executable, "-I", "-c", RUN, *arguments], capture_output=True, text=True, check=False)
    return set(done.stderr.rpartition("LOADED")[2].split())


def test_an_evaluation_without_a_key_loads_no_heavy_library(tmp_path):
    repository = build_example(tmp_path / "rides")

    loaded = loaded_by(
        "check", "--repo", repository, "--base", "main", "--head", "unsafe", "--production", EXAMPLE / "production", "--quiet"
    )

    assert "gonogo" in loaded
    assert loaded & HEAVY == set()


def test_a_change_without_migrations_loads_no_sql_parser(tmp_path):
    repository = build_example(tmp_path / "rides")

    loaded = loaded_by("check", "--repo", repository, "--base", "main", "--head", "main", "--quiet")

    assert loaded & {"sqlglot", "postgast", "google"} == set()


def test_help_loads_no_pipeline():
    loaded = loaded_by("check", "--help")

    assert loaded & {"heuristics", "context_graph", "sqlglot", "yaml"} == set()
