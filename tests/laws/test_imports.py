"""What `gonogo check` loads: a quick start, and nothing that only a model, a cloud or a forecast needs."""

import subprocess
import sys
from pathlib import Path

from scripts.build_demo import EXAMPLE, build_example, run_git, start_repository

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
MOST_MODULES = 950
"""Of all packages together, those of Python included: each takes about half a millisecond."""

RUN = """
import sys
from bot.entrypoints.cli.app import main
status = main(sys.argv[1:])
print("LOADED", *sys.modules, file=sys.stderr)
sys.exit(status)
"""


def loaded_by(*arguments: str | Path) -> set[str]:
    done = subprocess.run([sys.executable, "-I", "-c", RUN, *arguments], capture_output=True, text=True, check=False)
    return {name.split(".")[0] for name in done.stderr.rpartition("LOADED")[2].split()}


def modules_loaded_by(folder: Path, *, base: dict[str, str], head: dict[str, str]) -> set[str]:
    """The modules that the evaluation of a change loads, launcher and reports included."""
    repository = folder / "repository"
    start_repository(repository)
    for branch, files in (("main", base), ("pr", head)):
        if branch == "pr":
            run_git(repository, "checkout", "-q", "-b", "pr")
        for name, text in files.items():
            path = repository / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        run_git(repository, "add", "-A")
        run_git(repository, "commit", "-q", "-m", branch)
    arguments = ["check", "--repo", repository, "--base", "main", "--head", "pr", "--quiet", "--json", folder / "report.json"]
    done = subprocess.run([sys.executable, "-I", "-c", RUN, *arguments], capture_output=True, text=True, check=False)
    assert (folder / "report.json").is_file(), done.stderr
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


def test_a_change_of_a_setting_loads_no_parser_that_it_does_not_need(tmp_path):
    base = {"limits.yaml": "workers: 20\nretries: 3\n"}
    loaded = modules_loaded_by(tmp_path, base=base, head={"limits.yaml": "workers: 10\nretries: 3\n"})

    assert {name.split(".")[0] for name in loaded} & (
        HEAVY | {"sqlglot", "postgast", "google", "tree_sitter", "tree_sitter_hcl"}
    ) == set()
    assert (
        sorted(name for name in loaded if name.startswith(("heuristics.rules.postgres.", "heuristics.rules.migrations."))) == []
    )
    assert len(loaded) < MOST_MODULES


def test_a_change_of_documents_loads_no_rule_and_no_playbook(tmp_path):
    loaded = modules_loaded_by(tmp_path, base={"README.md": "old\n"}, head={"README.md": "new\n"})

    assert sorted(name for name in loaded if name.startswith(("heuristics.rules.", "bot.investigator.playbooks"))) == []


def test_a_migration_loads_the_grammar_without_its_wrappers(tmp_path):
    migration = {"migrations/0001_users_email.sql": "CREATE INDEX users_email ON users (email);\n"}
    loaded = modules_loaded_by(tmp_path, base={"README.md": "users\n"}, head=migration)

    assert "postgast.parse" in loaded
    assert "postgast.nodes._generated" not in loaded


def test_help_loads_no_pipeline():
    loaded = loaded_by("check", "--help")

    assert loaded & {"heuristics", "context_graph", "sqlglot", "yaml"} == set()
