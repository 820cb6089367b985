"""Labelled pull requests: reads a case, stages it as a git repository with a snapshot, and runs gonogo on it as a user would."""

import gzip
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import yaml

from scripts.build_demo import commit_tree, run_git, start_repository

GONOGO = Path(sys.executable).parent / "gonogo"


@dataclass(frozen=True)
class Case:
    """One labelled pull request. `label` is its case.yaml."""

    folder: Path
    suite: str
    label: Mapping[str, Any]

    @property
    def id(self) -> str:
        """Its name, unique within a suite."""
        return str(self.label["id"])


@dataclass(frozen=True)
class Measured:
    """A whole process and its children: what it took, and the end of what it wrote on standard error."""

    exit_status: int
    seconds: float
    cpu_seconds: float
    peak_mib: float
    said: str


@dataclass(frozen=True)
class Run:
    """What one call gave. `report` is None when there was none to read, and `error` then says why."""

    report: Mapping[str, Any] | None
    error: str
    took: Measured


def cases_of(suites: Sequence[Path]) -> list[Case]:
    """Every case of these suites, in order; a folder that is itself a case counts as one."""
    found: list[Case] = []
    for suite in suites:
        folders = [suite] if (suite / "case.yaml").is_file() else sorted(p.parent for p in suite.glob("*/case.yaml"))
        for folder in folders:
            label = cast("Mapping[str, Any]", yaml.safe_load((folder / "case.yaml").read_text(encoding="utf-8")))
            found.append(Case(folder=folder, suite=suite.name, label=label))
    return found


def run_case(case: Case, work: Path, *, timeout_s: float, gonogo: Path = GONOGO) -> Run:
    """Stage the case below `work` and evaluate it. Names on disk say nothing about the case."""
    place = work / hashlib.sha256(f"{case.suite}/{case.id}".encode()).hexdigest()[:12]
    shutil.rmtree(place, ignore_errors=True)
    repository, production, pr, out = (place / name for name in ("repo", "production", "pr.yaml", "report.json"))
    stage(case, repository, production)
    shutil.copyfile(case.folder / "pr.yaml", pr)
    command = [str(gonogo), "check", "--repo", str(repository), "--base", "main", "--head", "pr"]
    command += ["--production", str(production), "--pr", str(pr), "--json", str(out), "--format", "json", "--quiet"]
    took = measured(command, cwd=place, timeout_s=timeout_s)
    report, error = _report(out, took.exit_status)
    shutil.rmtree(place, ignore_errors=True)
    return Run(report, error, took)


def stage(case: Case, repository: Path, production: Path) -> None:
    """The base on `main`, the head on `pr`, and the snapshot with its metrics unpacked."""
    pr = cast("Mapping[str, Any]", yaml.safe_load((case.folder / "pr.yaml").read_text(encoding="utf-8")))
    named = pr.get("repository")
    start_repository(repository, origin=f"https://github.com/{named}.git" if named else None)
    commit_tree(repository, [case.folder / "base"], message="state of main", date="2026-05-08T09:00:00Z")
    run_git(repository, "checkout", "-q", "-b", "pr")
    commits = cast("Sequence[str]", pr.get("commits") or ["the change"])
    message = "\n".join([commits[0], "", *commits[1:]]).rstrip()
    commit_tree(repository, [case.folder / "head"], message=message, date="2026-05-10T15:00:00Z")
    if (case.folder / "production").is_dir():
        shutil.copytree(case.folder / "production", production)
    else:
        production.mkdir()
    packed = production / "metrics.csv.gz"
    if packed.is_file():
        with gzip.open(packed, "rb") as source, packed.with_suffix("").open("wb") as target:
            shutil.copyfileobj(source, target)
        packed.unlink()


def measured(command: Sequence[str], *, cwd: Path, timeout_s: float) -> Measured:
    """Run a command; one that takes longer than `timeout_s` is ended and has exit status -9."""
    started = time.monotonic()
    process = subprocess.Popen(
        command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True
    )
    stop = threading.Timer(timeout_s, _end, [process.pid])
    stop.start()
    assert process.stderr is not None
    said = process.stderr.read()
    _, wait_status, usage = os.wait4(process.pid, 0)
    stop.cancel()
    process.stderr.close()
    process.returncode = os.waitstatus_to_exitcode(wait_status)  # reaped here, so that Popen need not
    return Measured(
        exit_status=process.returncode,
        seconds=time.monotonic() - started,
        cpu_seconds=usage.ru_utime + usage.ru_stime,
        peak_mib=usage.ru_maxrss / (1024 if sys.platform == "linux" else 1024 * 1024),
        said=said[-2000:].decode("utf-8", "replace"),
    )


def _end(pid: int) -> None:
    os.killpg(pid, signal.SIGKILL)


def _report(path: Path, status: int) -> tuple[Mapping[str, Any] | None, str]:
    if not path.is_file():
        return None, f"no report, exit status {status}"
    try:
        report = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        return None, f"unreadable report: {error}"
    if not isinstance(report, dict):
        return None, "the report is not an object"
    said = cast("dict[str, Any]", report)
    expected = {"go": 0, "no-go": 1}.get(str(said.get("verdict")), 3)
    if status != expected:
        return said, f"exit status {status} does not go with verdict {said.get('verdict')}"
    return said, "" if expected != 3 else f"no verdict, exit status {status}"
