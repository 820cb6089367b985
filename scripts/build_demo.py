"""Builds a git repository from plain folders, with fixed dates and author, so that ids are the same everywhere.

    python -m scripts.build_demo FOLDER

makes the example pull request in FOLDER: branch `main`, branches `unsafe` and `safe` with the two forms of the change.
"""

import argparse
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

EXAMPLE = Path(__file__).resolve().parent.parent / "examples" / "pull_request"

_WHO = {"NAME": "Example", "EMAIL": "example@example.org"}


def build_example(into: Path) -> Path:
    """The example repository; its snapshot and pr.yaml stay where they are, in `EXAMPLE`."""
    start_repository(into, origin="https://github.com/spokeway/rides.git")
    commit_tree(into, [EXAMPLE / "base"], message="Rides of bikes", date="2026-06-05T09:00:00Z")
    for branch in ("unsafe", "safe"):
        run_git(into, "checkout", "-q", "-b", branch, "main")
        head = [EXAMPLE / "base", EXAMPLE / f"head_{branch}"]
        commit_tree(into, head, message="Newest rides of a station, with an index", date="2026-06-08T15:00:00Z")
    return into


def start_repository(folder: Path, *, origin: str | None = None) -> None:
    """An empty repository on branch `main`."""
    folder.mkdir(parents=True, exist_ok=True)
    run_git(folder, "init", "-q", "-b", "main")
    if origin:
        run_git(folder, "remote", "add", "origin", origin)


def commit_tree(folder: Path, sources: Sequence[Path], *, message: str, date: str) -> None:
    """One commit whose tree is the sources laid over each other, and nothing else."""
    for entry in folder.iterdir():
        if entry.name != ".git":
            shutil.rmtree(entry) if entry.is_dir() and not entry.is_symlink() else entry.unlink()
    for source in sources:
        shutil.copytree(source, folder, symlinks=True, dirs_exist_ok=True)
    run_git(folder, "read-tree", "--empty")  # git takes a file of equal size and time for unchanged
    run_git(folder, "add", "-A", "-f")
    run_git(folder, "commit", "-q", "--allow-empty", "-m", message, date=date)


def run_git(folder: Path, *arguments: str, date: str = "2026-06-08T12:00:00Z") -> str:
    """Run git with a fixed identity and no settings of the machine; what it printed."""
    settings = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    for role in ("AUTHOR", "COMMITTER"):
        settings |= {f"GIT_{role}_{key}": value for key, value in _WHO.items()} | {f"GIT_{role}_DATE": date}
    env = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")} | settings
    done = subprocess.run(["git", "-C", folder, *arguments], env=env, check=True, capture_output=True, text=True)
    return done.stdout


def main() -> None:
    """Build the example where the caller says."""
    parser = argparse.ArgumentParser(description="Build the example pull request as a git repository.")
    parser.add_argument("folder", type=Path)
    print(build_example(parser.parse_args().folder))


if __name__ == "__main__":
    main()
