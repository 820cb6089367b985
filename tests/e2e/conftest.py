"""Small git repositories, and gonogo run on them as a user runs it: the installed command, a process of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bot.entrypoints.cli.app import main
from scripts.build_demo import EXAMPLE, build_example, run_git

GONOGO = Path(sys.executable).parent / "gonogo"

Tree = Mapping[str, str | bytes | None]


@dataclass(frozen=True)
class Checkout:
    """A git repository under test. In a tree, None deletes the file."""

    folder: Path

    def git(self, *arguments: str) -> str:
        return run_git(self.folder, *arguments)

    def write(self, files: Tree) -> None:
        for name, content in files.items():
            path = self.folder / name
            if content is None:
                path.unlink()
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())

    def commit(self, files: Tree, message: str = "a change") -> str:
        self.write(files)
        self.git("add", "-A", "-f")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD").strip()


@dataclass(frozen=True)
class Said:
    """What a call to gonogo gave."""

    status: int
    out: str
    err: str

    @property
    def report(self) -> dict[str, Any]:
        return json.loads(self.out)

    @property
    def line(self) -> str:
        """The one line on standard error."""
        lines = self.err.strip().splitlines()
        assert len(lines) == 1, self.err
        assert "Traceback" not in self.err
        return lines[0]


@pytest.fixture
def a_repository(tmp_path: Path) -> Callable[..., Checkout]:
    """A repository with the base committed on main and the head on pr, which is checked out."""

    def build(base: Tree, head: Tree | None = None, name: str = "repo") -> Checkout:
        checkout = Checkout(tmp_path / name)
        checkout.folder.mkdir()
        checkout.git("init", "-q", "-b", "main")
        checkout.commit(base, "base")
        if head is not None:
            checkout.git("checkout", "-q", "-b", "pr")
            checkout.commit(head, "head")
        return checkout

    return build


@pytest.fixture
def gonogo(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Said]:
    """Run `gonogo check` in this process, through the door that the command goes through."""
    for key in [key for key in os.environ if key.startswith(_NOT_KEPT)]:
        monkeypatch.delenv(key)

    def run(where: Checkout | Path, *arguments: str | Path, **env: str) -> Said:
        for key, value in (_NO_SETTINGS | env).items():
            monkeypatch.setenv(key, value)
        capfd.readouterr()
        status = main(["check", "--repo", str(_folder(where)), *map(str, arguments)])
        out, err = capfd.readouterr()
        return Said(status, out, err)

    return run


@pytest.fixture
def verb(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Said]:
    """Run any verb of gonogo in this process: `verb("lint", "a.sql")`."""
    for key in [key for key in os.environ if key.startswith(_NOT_KEPT)]:
        monkeypatch.delenv(key)
    for key, value in _NO_SETTINGS.items():
        monkeypatch.setenv(key, value)

    def run(*arguments: str | Path) -> Said:
        capfd.readouterr()
        status = main([str(a) for a in arguments])
        out, err = capfd.readouterr()
        return Said(status, out, err)

    return run


@pytest.fixture
def gonogo_command() -> Callable[..., Said]:
    """Run the installed command as a process of its own; the environment holds no key and no terminal."""

    def run(
        where: Checkout | Path,
        *arguments: str | Path,
        command: Sequence[str | Path] = (GONOGO,),
        timeout_s: float = 120,
        **env: str,
    ) -> Said:
        kept = {key: value for key, value in os.environ.items() if not key.startswith(_NOT_KEPT)} | _NO_SETTINGS | env
        done = subprocess.run(
            [*command, "check", "--repo", _folder(where), *arguments],
            env=kept, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout_s, check=False,
        )  # fmt: skip
        return Said(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


_NOT_KEPT = ("GIT_", "ANTHROPIC", "GONOGO", "PYTHON")
_NO_SETTINGS = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}


def _folder(where: Checkout | Path) -> Path:
    return where.folder if isinstance(where, Checkout) else where


@pytest.fixture(scope="session")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundled example as a repository: branches main, unsafe, safe."""
    return build_example(tmp_path_factory.mktemp("example") / "rides")


@pytest.fixture
def snapshot(tmp_path: Path) -> Path:
    """A copy of the snapshot of the bundled example, to break."""
    folder = tmp_path / "production"
    folder.mkdir()
    for source in (EXAMPLE / "production").iterdir():
        (folder / source.name).write_bytes(source.read_bytes())
    return folder
