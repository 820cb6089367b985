"""What stands around a verdict, folded: the benchmark's table, the evaluations before it, what it took."""

from collections.abc import Sequence

from bot.report.body import folded
from bot.report.evidence_text import one_line
from bot.report.links import linked
from bot.report.neutral import code, escaped, html_escaped, prose
from bot.report.numbers import number_text
from bot.report.published import BenchmarkRow, Earlier, Published
from bot.report.sections import Section, section
from bot.report.standing import outcome_word
from bot.report.summary import counted
from gonogo.evaluation import Evaluation

MAX_ROWS = 40
MAX_SUMMARY = 200
"""Characters of what an earlier evaluation came to."""
_GATES = {True: "holds", False: "**dropped too far**", None: ""}


def benchmark_section(rows: Sequence[BenchmarkRow]) -> Section:
    """Base and head side by side. It changes nothing about the verdict."""
    failed = sum(row.gate is False for row in rows)
    said = f"Agent benchmark: {f'{counted(failed, "gate")} failed' if failed else 'no gate failed'}"
    lines = [f"<details{' open' if failed else ''}><summary>{html_escaped(said)}</summary>", ""]
    lines += ["| benchmark | metric | base | head | difference | gate |", "|---|---|---:|---:|---:|---|"]
    lines += [_row(row) for row in rows[:MAX_ROWS]]
    more = [f"and {len(rows) - MAX_ROWS} more rows", ""] if len(rows) > MAX_ROWS else []
    return section([*lines, "", *more, "</details>"], 6, short=[f"_{prose(said)}._"])


def _row(row: BenchmarkRow) -> str:
    values = [escaped(number_text(v, row.unit)) if v is not None else "—" for v in (row.base, row.head)]
    difference = "—"
    if row.base is not None and row.head is not None:
        difference = f"{row.head - row.base:+.3g}"
        if row.interval is not None:
            difference += f" ({row.interval[0]:+.3g} to {row.interval[1]:+.3g})"
    cells = [escaped(row.benchmark), escaped(row.metric), *values, difference, _GATES[row.gate]]
    return f"| {' | '.join(cells)} |"


def history_section(published: Published) -> Section:
    """Earlier evaluations of the pull request, each with its commit."""
    return folded(counted(len(published.history), "earlier evaluation"), published.history, _earlier, 9)


def _earlier(one: Earlier) -> str:
    at = f" ({one.at:%Y-%m-%d %H:%M} UTC)" if one.at else ""
    said = f": {prose(one_line(one.summary, MAX_SUMMARY))}" if one.summary else ""
    return f"{code(one.head_sha[:8])} {linked(outcome_word(one.outcome), one.url)}{at}{said}"


def spent_text(published: Published, evaluation: Evaluation) -> str:
    """Time, steps and money, and what was asked of GitHub."""
    took = published.took_s if published.took_s is not None else evaluation.timings.get("total")
    parts = [f"{took:.1f} s"] if took is not None else []
    model, budget = evaluation.model, evaluation.budget
    if model.id:
        parts.append(f"{budget.steps_used} of {counted(budget.steps_limit, 'step')} of {model.id}")
        tokens = f"{model.input_tokens + model.output_tokens:,} tokens"
        parts.append(f"${model.cost:.2f} ({tokens})" if model.cost else f"{tokens}")
    else:
        parts.append("rules and playbooks, no model, no cost")
    if budget.citations_dropped:
        parts.append(f"{counted(budget.citations_dropped, 'citation')} did not hold and were dropped")
    if published.rest_calls is not None:
        parts.append(f"{counted(published.rest_calls, 'call')} of GitHub's interface")
    return f"Took {', '.join(parts)}; gonogo {evaluation.version}, generation {published.generation}."
