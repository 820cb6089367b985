"""The command `bencher`. So far: `bencher journal show|stats|compact FILE`."""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from bencher import __version__
from bencher.orchestration import upkeep
from bencher.orchestration.record import record_of

_SHOWN = 60


def main(arguments: Sequence[str] | None = None) -> int:
    """0 done; 2 wrong call or input, with one line that says what."""
    options = _parser().parse_args(arguments)
    path: Path = options.file
    try:
        text = {"show": _show, "stats": _stats, "compact": _compact}[options.verb](path, as_json=options.json)
    except (OSError, upkeep.JournalInUse, upkeep.NoJournal) as error:
        print(f"bencher journal {options.verb} {path}: {error}", file=sys.stderr)
        return 2
    try:
        print(text, end="\n" if text else "", flush=True)
    except BrokenPipeError:  # `| head` has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="bencher", description="Run an agent's benchmark, reproducibly.")
    parser.add_argument("--version", action="version", version=f"bencher {__version__}")
    journal = parser.add_subparsers(required=True, metavar="COMMAND").add_parser(
        "journal", help="look at the journal of agent calls"
    )
    verbs = journal.add_subparsers(dest="verb", required=True, metavar="VERB")
    for verb, about in (
        ("show", "every answer: key, run, place in the program, question, answer"),
        ("stats", "how many answers, damaged lines, questions without an answer"),
        ("compact", "keep the last answer of each question and nothing else"),
    ):
        one = verbs.add_parser(verb, help=about, description=about)
        one.add_argument("file", type=Path)
        one.add_argument("--json", action="store_true", help="for programs: JSON, one object a line")
    return parser


def _show(path: Path, *, as_json: bool) -> str:
    lines: list[str] = []
    for key, payload in upkeep.read_journal(path).answers.items():
        record = {"key": key} | record_of(payload)
        if as_json:
            lines.append(json.dumps(record))
        else:
            place, run_id = record["place"], record["run_id"] or "-"
            lines.append(f"{key[:12]}  {run_id}  {place}  {_short(record['asked'])} -> {_short(record['answer'])}")
    return "\n".join(lines) if lines or as_json else f"{path}: no answers"


def _stats(path: Path, *, as_json: bool) -> str:
    found = upkeep.stats(path)
    return json.dumps(asdict(found)) if as_json else _sentence(found)


def _compact(path: Path, *, as_json: bool) -> str:
    before, after = upkeep.compact(path)
    if as_json:
        return json.dumps({"before": asdict(before), "after": asdict(after)})
    return f"before: {_sentence(before)}\nafter:  {_sentence(after)}"


def _sentence(found: upkeep.Stats) -> str:
    return (
        f"{found.answers} answers, {found.unanswered} questions in flight or lost with their run, "
        f"{found.damaged} damaged of {found.lines} lines, {found.total_bytes} bytes"
    )


def _short(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


if __name__ == "__main__":
    sys.exit(main())
