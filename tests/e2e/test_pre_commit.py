"""The hook of `.pre-commit-hooks.yaml`, run by pre-commit in a git repository; only where gonogo comes from is replaced."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
(HOOK,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())


@pytest.fixture
def commit(a_repository, tmp_path):
    """Commit files in a repository that has the hook; returns (exit status, what was printed)."""
    checkout = a_repository({"README.md": "x\n"})
    hook = HOOK | {"language": "system", "entry": HOOK["entry"].replace("gonogo", str(BIN / "gonogo"), 1)}
    (checkout.folder / ".pre-commit-config.yaml").write_text(yaml.safe_dump({"repos": [{"repo": "local", "hooks": [hook]}]}))
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("GIT_", "PYTHON"))}
    env = kept | {"PRE_COMMIT_HOME": str(tmp_path / "pre-commit"), "GIT_CONFIG_GLOBAL": os.devnull}

    def run(files):
        checkout.write(files)
        checkout.git("add", "-A")
        done = subprocess.run(
            [BIN / "pre-commit", "run"], cwd=checkout.folder, env=env, capture_output=True, text=True, check=False, timeout=120
        )
        return done.returncode, done.stdout + done.stderr

    return run


def test_a_commit_with_a_blocking_migration_is_stopped_and_told_why(commit):
    status, said = commit({"db/migrations/0001_index.sql": "CREATE INDEX i ON t (a);\n"})

    assert status == 1, said
    assert "postgres/index-not-concurrent" in said
    assert "CREATE INDEX CONCURRENTLY i ON t (a);" in said


def test_a_safe_migration_passes(commit):
    assert commit({"db/migrations/0001_index.sql": "CREATE INDEX CONCURRENTLY i ON t (a);\n"})[0] == 0


@pytest.mark.parametrize("path", ["app/models.py", "db/migrations/0001_x.down.sql", "package.json", "docs/notes.sql"])
def test_files_that_are_no_migrations_are_not_looked_at(commit, path):
    status, said = commit({path: "DROP TABLE t;\n"})

    assert (status, "(no files to check)Skipped" in said.replace("\n", "")) == (0, True), said


@pytest.mark.parametrize(
    "path",
    ["alembic/versions/a_x.py", "db/migrate/20260101_x.rb", "shop/migrations/0002_x.py", "src/main/resources/db/changelog/1.xml"],
)
def test_migrations_of_other_runners_are_looked_at(commit, path):
    status, said = commit({path: "x = 1\n"})

    assert (status, "Skipped" in said) == (0, False), said
