"""Time and memory of `gonogo check`, beside the floor that the machine sets in the same run (`make bench`).

The floor is what no program in Python that asks git about a range can go below: an interpreter that starts and stops,
once by itself and once isolated, and the git commands of the same range.
"""

import argparse
import gzip
import json
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks.cases import GONOGO, cases_of, measured, stage
from scripts.build_demo import EXAMPLE, build_example, commit_tree, run_git, start_repository

MILLION = 1_000_000
DIFF_LINES = 100_000
MAX_SECONDS, MAX_MIB = 1.5, 200.0
"""What a whole process may take on an example."""
SUITE = Path(__file__).parent / "suites" / "pull_requests"
_FLOOR = (
    '"$0" -c pass; "$0" -I -c pass; cd "$1"; git rev-parse --absolute-git-dir; git rev-parse "$3^{commit}"; git rev-parse "$2^{commit}"; '
    'git merge-base "$2" "$3"; git config --get remote.origin.url; git diff "$2...$3"; git ls-tree -r -l "$2"; git ls-tree -r -l "$3"; true'
)


@dataclass(frozen=True)
class Row:
    """Median time and highest peak of some runs of one command."""

    what: str
    seconds: float
    cpu_seconds: float
    peak_mib: float
    exit_status: int
    is_limited: bool = False


def main() -> int:
    """Print the tables; 1 when an example goes over its limits."""
    parser = argparse.ArgumentParser(description="Time and memory of gonogo check.")
    parser.add_argument("--runs", type=int, default=5, help="runs of each small command")
    parser.add_argument("--json", type=Path, help="write the rows there")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="gonogo-bench-") as folder:
        rows = [*_example(Path(folder), options.runs), *_cases(Path(folder), options.runs)]
        rows += [*_large_snapshot(Path(folder)), *_large_diff(Path(folder))]
        imports = _imports(Path(folder) / "example")
    print(_table(rows))
    print("\nimports that take longest, milliseconds of their own")
    print("\n".join(f"{microseconds / 1000:9.1f}  {module}" for module, microseconds in imports))
    if options.json:
        options.json.write_text(json.dumps([vars(row) for row in rows], indent=1) + "\n", encoding="utf-8")
    over = [row.what for row in rows if row.is_limited and (row.seconds > MAX_SECONDS or row.peak_mib > MAX_MIB)]
    if over:
        print(f"\nover {MAX_SECONDS:g} s or {MAX_MIB:g} MiB: {', '.join(over)}", file=sys.stderr)
    return 1 if over else 0


def _example(folder: Path, runs: int) -> Iterator[Row]:
    repository = build_example(folder / "example")
    facts = ["--production", str(EXAMPLE / "production"), "--pr", str(EXAMPLE / "pr.yaml"), "--quiet"]
    yield _row("floor: python starts and stops", [sys.executable, "-I", "-c", "pass"], folder, runs)
    yield _row("floor: python twice, git of the range", _floor(repository, "main", "unsafe"), folder, runs)
    for branch, answer in (("unsafe", "no-go"), ("safe", "go")):
        yield _row(f"the example, {answer}", _check(repository, branch, *facts), folder, runs, is_limited=True)
    yield _row("the example without a snapshot", _check(repository, "unsafe", "--quiet"), folder, runs, is_limited=True)


def _cases(folder: Path, runs: int) -> Iterator[Row]:
    """Every example pull request, called as a user would, with the text report and the JSON report."""
    for case in cases_of([SUITE]):
        place = folder / case.id
        place.mkdir()
        repository, production = place / "repository", place / "production"
        stage(case, repository, production)
        facts = ["--production", str(production), "--pr", str(case.folder / "pr.yaml"), "--json", str(place / "report.json")]
        yield _row(case.id, _check(repository, "pr", *facts), folder, runs, is_limited=True)


def _floor(repository: Path, base: str, head: str) -> list[str]:
    return ["sh", "-c", _FLOOR, sys.executable, str(repository), base, head]


def _large_snapshot(folder: Path) -> Iterator[Row]:
    """The example with a million rows of metrics of other resources beside its own."""
    production = folder / "million"
    production.mkdir()
    for source in (EXAMPLE / "production").iterdir():
        (production / source.name).write_bytes(source.read_bytes())
    with (production / "metrics.csv").open("a", encoding="utf-8") as file:
        file.writelines(_metric_rows(MILLION))
    yield _row(
        f"{MILLION:,} metric rows", _check(folder / "example", "unsafe", "--production", str(production), "--quiet"), folder, 1
    )
    plain = production / "metrics.csv"
    with gzip.open(production / "metrics.csv.gz", "wb", compresslevel=1) as packed, plain.open("rb") as source:
        shutil.copyfileobj(source, packed)
    plain.unlink()
    yield _row("the same, gzipped", _check(folder / "example", "unsafe", "--production", str(production), "--quiet"), folder, 1)


def _metric_rows(count: int) -> Iterator[str]:
    first = datetime(2026, 6, 2, tzinfo=UTC)
    per_series = 2000
    for series in range(count // per_series):
        resource = f"arn:aws:lambda:eu-central-1:440011223344:function:other-{series}"
        for at in range(per_series):
            yield f"{first + at * timedelta(minutes=5):%Y-%m-%dT%H:%M:%SZ},{resource},Invocations,Count,{(at * 7 + series) % 1000}\n"


def _large_diff(folder: Path) -> Iterator[Row]:
    """A change of a hundred thousand lines in a hundred files beside the migration of the example."""
    repository, source = folder / "large", folder / "files"
    start_repository(repository)
    commit_tree(repository, [EXAMPLE / "base"], message="before", date="2026-06-05T09:00:00Z")
    run_git(repository, "checkout", "-q", "-b", "unsafe")
    for number in range(100):
        path = source / "rides" / f"table_{number}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            "".join(f"limit_{number}_{line} = {line * 37 % 9973}\n" for line in range(DIFF_LINES // 100)), encoding="utf-8"
        )
    commit_tree(repository, [EXAMPLE / "base", EXAMPLE / "head_unsafe", source], message="after", date="2026-06-08T15:00:00Z")
    facts = ["--production", str(EXAMPLE / "production"), "--pr", str(EXAMPLE / "pr.yaml"), "--quiet"]
    yield _row(f"floor: git diff, {DIFF_LINES:,} lines", ["git", "-C", str(repository), "diff", "main...unsafe"], folder, 1)
    yield _row(f"{DIFF_LINES:,} changed lines", _check(repository, "unsafe", *facts), folder, 1)


def _check(repository: Path, head: str, *more: str) -> list[str]:
    return [str(GONOGO), "check", "--repo", str(repository), "--base", "main", "--head", head, *more]


def _row(what: str, command: Sequence[str], folder: Path, runs: int, *, is_limited: bool = False) -> Row:
    taken = [measured(command, cwd=folder, timeout_s=300) for _ in range(runs)]
    seconds, cpu_seconds = (
        statistics.median(values) for values in zip(*((m.seconds, m.cpu_seconds) for m in taken), strict=True)
    )
    return Row(what, seconds, cpu_seconds, max(m.peak_mib for m in taken), taken[-1].exit_status, is_limited)


def _imports(repository: Path) -> list[tuple[str, int]]:
    """The slowest imports of one evaluation, each without what it imports."""
    start = "import sys; sys.argv[0] = 'gonogo'; from gonogo.launch import main; main()"
    command = [sys.executable, "-I", "-X", "importtime", "-c", start, *_check(repository, "unsafe", "--quiet")[1:]]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.findall(r"^import time:\s+(\d+) \|\s+\d+ \|\s+(\S+)$", done.stderr, re.MULTILINE)
    slowest = sorted(((int(microseconds), module) for microseconds, module in found), reverse=True)[:15]
    return [(module, microseconds) for microseconds, module in slowest]


def _table(rows: Sequence[Row]) -> str:
    width = max(len(row.what) for row in rows)
    lines = [f"{'':{width}}  seconds  of cpu    MiB  exit"]
    lines += [f"{r.what:{width}}  {r.seconds:7.3f} {r.cpu_seconds:7.3f} {r.peak_mib:6.0f}  {r.exit_status:4}" for r in rows]
    lines.append("Seconds are wall time; a peak below that of the bench itself (about 21 MiB) cannot be seen.")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
