"""Scores gonogo on labelled pull requests: `python -m benchmarks.accuracy SUITE...` (`make accuracy`)."""

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.cases import Case, Run, cases_of, run_case
from benchmarks.scoring import Score, score, summarise

MARK = {True: "y", False: "-", None: "."}


def evaluate(case: Case, *, work: Path, repeat: int = 1, timeout_s: float = 120, tolerance: int = 3) -> tuple[Score, Run]:
    """Score one case; run more than once, verdicts that differ are told."""
    runs = [run_case(case, work, timeout_s=timeout_s) for _ in range(repeat)]
    first = runs[0]
    scored = score(
        case.label, first.report, suite=case.suite, tolerance=tolerance,
        seconds=round(first.took.seconds, 3), peak_mib=round(first.took.peak_mib, 1), error=first.error,
    )  # fmt: skip
    verdicts = {str((run.report or {}).get("verdict")) for run in runs}
    return replace(scored, is_unstable=len(verdicts) > 1), first


def table(scores: Sequence[Score]) -> str:
    """A row a case: what was wanted, what was said, what was cited."""
    width = max((len(s.id) for s in scores), default=4)
    rows = [
        f"{'case':{width}} {'want':5} {'got':5} {'want status':11} {'got status':11} ok file line decides res noise {'sec':>5} {'MiB':>5}  note"
    ]
    for s in scores:
        note = s.error or ("verdict changes between runs" if s.is_unstable else "")
        rows.append(
            f"{s.id:{width}} {s.expected:5} {s.verdict:5} {s.expected_status:11} {s.status:11} {'y ' if s.is_right else 'X '} "
            f"{MARK[s.file_any]:4} {MARK[s.line_any]:4} {MARK[s.line_decisive]:7} {MARK[s.resource]:3} {MARK[s.is_noisy]:5} "
            f"{s.seconds:5.2f} {s.peak_mib:5.0f}  {note}".rstrip()
        )
    return "\n".join(rows)


def figures(summary: dict[str, Any]) -> str:
    """The summary for a reader."""
    no_go, culprit, noise, pairs = summary["no_go"], summary["culprit"], summary["noise_on_clean_go"], summary["pairs_both_right"]
    lines = {
        "verdict right": f"{_percent(summary['verdict_accuracy'])} of {summary['cases']}",
        "no-go precision": f"{_percent(no_go['precision'])}{_named('false', no_go['false_positives'])}",
        "no-go recall": f"{_percent(no_go['recall'])}{_named('missed', no_go['false_negatives'])}",
        "culprit line": f"{_percent(culprit['line_any'])} of {culprit['n']}, {_percent(culprit['line_decisive'])} in what decides",
        "  of no-gos found": f"{_percent(culprit['line_of_no_gos_found'])}, {_percent(culprit['decisive_line_of_no_gos_found'])} in what decides",
        "resource": _percent(culprit["resource"]),
        "status": f"{_percent(summary['status_agreement']['strict'])}, loosely {_percent(summary['status_agreement']['loose'])}",
        "plausible, not blocking": _percent(summary["plausible_reported_without_blocking"]),
        "noise on clean go": f"{len(noise['cases'])} of {noise['of']}{_named('noisy', noise['cases'])}",
        "pairs both right": f"{pairs['right']} of {pairs['of']}{_named('wrong', pairs['wrong'])}",
        "seconds a case": " ".join(f"{name} {value:.2f}" for name, value in summary["seconds"].items()),
        "peak MiB a case": " ".join(f"{name} {value:.0f}" for name, value in summary["peak_mib"].items()),
    }
    for key in ("by_suite", "by_category", "by_expected_status", "by_hard"):
        groups = (f"{name or '-'} {_percent(group['verdict_accuracy'])} of {group['n']}" for name, group in summary[key].items())
        lines[key.replace("_", " ")] = "; ".join(groups)
    if summary["errors"]:
        lines["errors"] = "; ".join(f"{case}: {why}" for case, why in summary["errors"].items())
    if summary["unstable_verdicts"]:
        lines["changing verdicts"] = ", ".join(summary["unstable_verdicts"])
    return "\n".join(f"{name:24} {value}" for name, value in lines.items())


def main() -> int:
    """Run, print the table and the figures; 1 when a case gave no verdict."""
    parser = argparse.ArgumentParser(description="Score gonogo on labelled pull requests.")
    parser.add_argument("suites", nargs="+", type=Path, help="a folder of cases, or one case")
    parser.add_argument("--only", action="append", default=[], metavar="GLOB", help="case ids to run; may be given again")
    parser.add_argument("--jobs", type=int, default=2, help="cases at a time; 1 when seconds matter")
    parser.add_argument("--repeat", type=int, default=1, help="run each case so many times and tell which verdicts change")
    parser.add_argument("--tolerance", type=int, default=3, help="lines that a citation may be off")
    parser.add_argument("--timeout", type=float, default=120, help="seconds a case")
    parser.add_argument("--json", type=Path, help="write the summary there")
    parser.add_argument("--said", action="store_true", help="show what gonogo wrote on standard error for cases with an error")
    options = parser.parse_args()
    cases = [c for c in cases_of(options.suites) if not options.only or any(fnmatchcase(c.id, glob) for glob in options.only)]
    if not cases:
        parser.error("no cases there: a case is a folder with a case.yaml")
    with tempfile.TemporaryDirectory(prefix="gonogo-accuracy-") as work, ThreadPoolExecutor(options.jobs) as pool:
        one = partial(evaluate, work=Path(work), repeat=options.repeat, timeout_s=options.timeout, tolerance=options.tolerance)
        results = list(pool.map(one, cases))
    scores = [scored for scored, _ in results]
    summary = summarise(scores)
    print(table(scores), figures(summary), sep="\n\n")
    if options.said:
        print(*(f"\n{s.id}: {run.took.said}" for s, run in results if s.error), sep="")
    if options.json:
        options.json.write_text(json.dumps(summary, indent=1) + "\n", encoding="utf-8")
    return 1 if summary["errors"] else 0


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.0f}%"


def _named(what: str, names: Sequence[str]) -> str:
    return f" ({what}: {', '.join(names)})" if names else ""


if __name__ == "__main__":
    sys.exit(main())
