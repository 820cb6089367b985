"""Faults that somebody found who had read nothing but the README."""

import json
import os
import stat
import subprocess
from pathlib import Path

import pytest

GONOGO = Path(__file__).parents[2] / ".venv" / "bin" / "gonogo"
ENV = {
    **os.environ,
    "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.org",
}  # fmt: skip
INDEX = "CREATE INDEX orders_customer ON orders (customer_id);\n"


@pytest.fixture
def shop(tmp_path) -> Path:
    repository = tmp_path / "shop"
    production = tmp_path / "production"
    production.mkdir()
    git(repository, "init", "-q", "-b", "main", str(repository), at=tmp_path)
    (repository / "README.md").write_text("# shop\n")
    commit(repository)
    git(repository, "checkout", "-q", "-b", "pr")
    rows = [
        {"id": "github:acme/shop", "kind": "github.repository", "name": "acme/shop"},
        {"id": "db", "kind": "aws.rds.instance", "name": "db"},
    ]
    (production / "resources.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
    (production / "edges.jsonl").write_text(
        json.dumps({"source": "github:acme/shop", "target": "db", "relation": "deploys_to"}) + "\n"
    )
    databases(production)
    return repository


def databases(production: Path, name: str = "databases.json", **table) -> None:
    row = {
        "schema": "public",
        "name": "orders",
        "row_estimate": 48_000_000,
        "total_bytes": 9e9,
        "writes_per_second": 38.0,
        **table,
    }
    (production / name).write_text(json.dumps([{"resource": "db", "engine": "postgres", "version": "15.5", "tables": [row]}]))


def git(repository: Path, *args: str, at: Path | None = None) -> None:
    subprocess.run(["git", "-C", str(at or repository), *args], check=True, env=ENV, capture_output=True)


def commit(repository: Path) -> None:
    git(repository, "add", "-A")
    git(repository, "commit", "-q", "-m", "m")


def check(repository: Path, *args: str, **more) -> "subprocess.CompletedProcess[bytes]":
    call = [
        GONOGO,
        "check",
        "-q",
        "--repo",
        str(repository),
        "--base",
        "main",
        "--production",
        str(repository.parent / "production"),
        *args,
    ]
    return subprocess.run(call, env=ENV, capture_output=True, timeout=60, check=False, **more)


def migrate(repository: Path, content: bytes) -> None:
    (repository / "migrations").mkdir(exist_ok=True)
    (repository / "migrations" / "0002_index.sql").write_bytes(content)
    commit(repository)


@pytest.mark.parametrize("content", [INDEX.encode(), INDEX.encode("utf-16"), ("-- x\r" + INDEX).replace("\n", "\r").encode()])
def test_a_statement_counts_in_any_encoding_and_with_any_line_end(shop, content) -> None:
    migrate(shop, content)

    assert check(shop).returncode == 1


def test_attributes_of_the_clone_hide_nothing(shop) -> None:
    migrate(shop, INDEX.encode())
    (shop / ".git" / "info").mkdir(exist_ok=True)
    (shop / ".git" / "info" / "attributes").write_text("*.sql binary -diff\n")

    assert check(shop).returncode == 1


@pytest.mark.parametrize("value", [-38, True, float("nan"), float("inf")])
def test_an_impossible_number_is_no_fact_and_is_named(shop, value) -> None:
    migrate(shop, INDEX.encode())
    databases(shop.parent / "production", writes_per_second=value)

    done = check(shop)

    assert done.returncode == 0
    assert b"not looked at" in done.stdout.splitlines()[0]
    assert b"writes_per_second" in done.stdout


def test_a_misspelt_snapshot_file_is_named(shop) -> None:
    production = shop.parent / "production"
    (production / "databases.json").rename(production / "database.json")
    migrate(shop, INDEX.encode())

    assert b"is it databases.json?" in check(shop, "--format", "json").stdout


def test_an_empty_production_is_a_wrong_call(shop) -> None:
    assert check(shop, "--production", "").returncode == 2


def test_a_report_goes_into_what_is_there_and_replaces_only_files(shop, tmp_path) -> None:
    migrate(shop, INDEX.encode())
    real, link, pipe = tmp_path / "real.json", tmp_path / "link.json", tmp_path / "pipe"
    real.write_text("old")
    real.chmod(0o600)
    link.symlink_to(real)
    os.mkfifo(pipe)

    check(shop, "--json", str(link))
    reader = subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE)
    check(shop, "--json", str(pipe))
    piped, _ = reader.communicate(timeout=20)

    assert link.is_symlink()
    assert json.loads(real.read_text())["verdict"] == "no-go"
    assert stat.S_IMODE(real.stat().st_mode) == 0o600
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert json.loads(piped)["verdict"] == "no-go"


def test_a_full_device_is_3_and_one_line(shop) -> None:
    migrate(shop, INDEX.encode())
    with Path("/dev/full").open("w") as full:
        call = [GONOGO, "check", "-q", "--repo", str(shop), "--base", "main"]
        done = subprocess.run(call, env=ENV, stdout=full, stderr=subprocess.PIPE, timeout=60, check=False)

    assert done.returncode == 3
    assert len(done.stderr.splitlines()) == 1


def test_a_database_that_stands_twice_in_the_snapshot_counts_once_and_a_difference_is_named(shop) -> None:
    migrate(shop, INDEX.encode())
    path = shop.parent / "production" / "databases.json"
    listed = json.loads(path.read_text())

    path.write_text(json.dumps(listed + listed))
    same = check(shop)
    other = [{**listed[0], "version": "14.1"}]
    path.write_text(json.dumps(listed + other))
    different = check(shop)

    assert (same.returncode, different.returncode) == (1, 1)
    assert b"twice with different figures" in different.stdout
    assert b"twice" not in same.stdout


def test_statistics_of_a_database_alone_are_facts(shop) -> None:
    migrate(shop, INDEX.encode())
    for name in ("resources.jsonl", "edges.jsonl"):
        (shop.parent / "production" / name).unlink()

    assert check(shop).returncode == 1


@pytest.mark.parametrize(("name", "content"), [("databases.json", ""), ("snapshot.json", "[]")])
def test_a_file_of_the_snapshot_that_says_nothing_is_named(shop, name, content) -> None:
    migrate(shop, INDEX.encode())
    (shop.parent / "production" / name).write_text(content)

    assert name.encode() in check(shop).stdout


@pytest.mark.parametrize("pattern", ["migrations/**", "migrations/", "migrations", "migrations/*"])
def test_an_ignored_file_among_others_is_left_out_and_named(shop, tmp_path, pattern) -> None:
    migrate(shop, INDEX.encode())
    (shop / "app.py").write_text("x = 1\n")
    commit(shop)
    settings = tmp_path / "settings.yml"
    settings.write_text(f"ignore: ['{pattern}']\n")

    done = check(shop, "--config", str(settings))

    assert done.returncode == 0
    assert b"ignores them: migrations/0002_index.sql" in b" ".join(done.stdout.split())


def test_a_control_character_and_an_empty_repository_are_called_what_they_are(shop, tmp_path) -> None:
    migrate(shop, INDEX.encode())
    (tmp_path / "pr.yaml").write_bytes(b'title: "a \x1b b"\n')
    empty = tmp_path / "empty"
    git(empty, "init", "-q", str(empty), at=tmp_path)

    assert b"control characters" in check(shop, "--pr", str(tmp_path / "pr.yaml")).stderr
    assert b"no commits yet" in check(empty).stderr
