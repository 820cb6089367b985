import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.build_demo import run_git

GONOGO = Path(sys.executable).parent / "gonogo"

SHADOWS = [
    "bot/__init__.py",
    "heuristics/__init__.py",
    "context_graph/__init__.py",
    "json.py",
    "typing.py",
    "pydantic.py",
    "sitecustomize.py",
    "typer/__init__.py",
]


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A checkout whose modules leave a mark when they are imported."""
    folder = tmp_path / "repo"
    folder.mkdir()
    run_git(folder, "init", "-q", "-b", "main")
    run_git(folder, "commit", "-q", "--allow-empty", "-m", "start")
    run_git(folder, "checkout", "-q", "-b", "pr")
    for name in SHADOWS:
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"import os\nopen({str(tmp_path / 'imported')!r}, 'a').write({name!r})\n")
    run_git(folder, "add", "-A")
    run_git(folder, "commit", "-q", "-m", "shadows")
    return folder


@pytest.mark.parametrize(
    "variables",
    [{}, {"PYTHONPATH": "."}, {"PYTHONSTARTUP": "json.py", "PYTHONUSERBASE": "."}],
    ids=["plain", "PYTHONPATH", "others"],
)
def test_a_hostile_checkout_is_not_imported(hostile, tmp_path, variables):
    env = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")} | variables
    shadows_at_start = {"sitecustomize.py", "json.py", "typing.py"}  # python itself imports these before the launcher runs

    done = subprocess.run([GONOGO, "check", "--base", "main"], cwd=hostile, env=env, capture_output=True, check=False)

    assert done.returncode == 0, done.stderr
    imported = (tmp_path / "imported").read_text() if (tmp_path / "imported").exists() else ""
    ours = [name for name in SHADOWS if name in imported and not ("PYTHONPATH" in variables and name in shadows_at_start)]
    assert ours == []


def test_the_image_starts_isolated():
    dockerfile = (Path(__file__).parents[2] / "Dockerfile").read_text()

    assert '"/opt/gonogo/bin/python", "-I"' in dockerfile
    assert 'ENV PYTHONPATH=""' in dockerfile
    assert re.findall(r"(?m)^USER (\S+)$", dockerfile) == ["10001"]
