"""gonogo lint beside other migration linters, on statements whose effect was measured on PostgreSQL 15 (`make bench`).

What squawk and pgfence say of each statement was recorded with their default rules; gonogo runs now. A linter flags a
statement when it says more than style of it. django-migration-linter's answers were not recorded by statement.
"""

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import Any

from context_graph.testing import MemoryTree
from heuristics.lint import lint, read_schema_file
from heuristics.sql import Catalog

FIXTURES = Path(__file__).resolve().parents[1] / "tests" / "fixtures" / "sql"
SQUAWK_STYLE = ("prefer-", "require-lock-timeout", "require-statement-timeout", "require-enum-value-ordering", "ban-char-field")
"""Advice on how to write any statement, not on what this one does."""

Row = Mapping[str, Any]
Flags = Callable[[Row], bool]


def main() -> int:
    """Print the table; 1 when gonogo misses a blocking statement or flags a harmless one."""
    labelled = statements()
    linters: dict[str, Flags] = {"gonogo": _gonogo, "squawk 2.70": _squawk, "pgfence 0.1": _pgfence}
    started = perf_counter()
    print("| linter | blocking, missed | harmless, flagged | failing, missed | breaks the running version, missed |")
    print("|---|---|---|---|---|")
    for name, flags in linters.items():
        print(f"| {name} | " + " | ".join(f"{wrong} of {of}" for wrong, of in _counts(labelled, flags)) + " |")
    each = (perf_counter() - started) / len(labelled)
    print(f"\n{len(labelled)} statements, {each * 1000:.1f} ms each with its schema")
    missed, flagged = _counts(labelled, _gonogo)[:2]
    return 1 if missed[0] or flagged[0] else 0


def statements() -> list[Row]:
    """Each labelled statement with its schema and what ran before it."""
    rows = json.loads((FIXTURES / "postgres_truth.json").read_text(encoding="utf-8"))
    by_text = {(row["op"], row["sql"].strip()): row for row in rows}
    labels = json.loads((FIXTURES / "linters_against_truth.json").read_text(encoding="utf-8"))
    return [{**by_text[key], **label} for label in labels if (key := (label["op"], label["sql"].strip())) in by_text]


def _counts(labelled: Sequence[Row], flags: Flags) -> list[tuple[int, int]]:
    """(wrong, of how many) in the order of the columns."""
    blocking = [r for r in labelled if r["label"] == "heavy"]
    harmless = [r for r in labelled if r["label"] in ("light", "none") and not r["compat"]]
    failing = [r for r in labelled if r["label"] == "fails"]
    breaking = [r for r in labelled if r["compat"] and r["label"] != "fails"]
    return [
        (sum(not flags(r) for r in blocking), len(blocking)),
        (sum(flags(r) for r in harmless), len(harmless)),
        (sum(not flags(r) for r in failing), len(failing)),
        (sum(not flags(r) for r in breaking), len(breaking)),
    ]


def _gonogo(row: Row) -> bool:
    return any(_found(row))


def _found(row: Row) -> Iterator[str]:
    before = row.get("same_transaction_before")
    script = f"BEGIN;\n{before};\n{row['sql']};\nCOMMIT;" if before else row["sql"]
    schema = _schema(f"{row.get('setup', '')};\n{row.get('session') or ''};")
    tree = MemoryTree({"change.sql": script})
    for statement in lint(["change.sql"], tree, dialect="postgres", server_version=15, schema=schema):
        yield from (finding.rule for finding in statement.findings)


@cache
def _schema(more: str) -> Catalog:
    text = (FIXTURES / "postgres_truth_schema.sql").read_text(encoding="utf-8")
    return read_schema_file("schema.sql", MemoryTree({"schema.sql": f"{text}\n{more}"}), dialect="postgres")[0]


def _squawk(row: Row) -> bool:
    return any(not rule.startswith(SQUAWK_STYLE) for rule in row["squawk"])


def _pgfence(row: Row) -> bool:
    return any(not rule.endswith(":LOW") for rule in row["pgfence"])


if __name__ == "__main__":
    sys.exit(main())
