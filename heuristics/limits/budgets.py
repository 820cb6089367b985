"""Retry budgets: what share of the calls may be retries, however many attempts one call may have."""

import re

from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Place
from heuristics.code import value_sites
from heuristics.limits.changed import Changed, as_number, words_of
from heuristics.limits.destinations import host_of
from heuristics.rule import RuleContext


class Budget(Record):
    """At most this share of the calls is tried again, as the line says."""

    share: float
    place: Place


_PERCENT = pattern(
    r"(retry-)?budget-(budget-)?percent(-value)?$|budget-percentage$|percent-can-retry$|retry-constraint-budget-percent$"
)
_RATIO = pattern(
    r"retry-(budget-)?retry-ratio$|retry-budget-ratio$|retry-throttling-token-ratio$|retry-budget-percent-can-retry$"
)
_DEFAULT = 0.2
"""Envoy's and Linkerd's share when a budget is set without one."""
_CODE = pattern(r"RetryBudget\([^)]{0,200}?(?:percentCanRetry\s{0,3}=\s{0,3}|,\s{0,3}\d{1,6},\s{0,3})(0?\.\d{1,4})")


def budget_of(changed: Changed, context: RuleContext, destinations: frozenset[str]) -> Budget | None:
    """The budget that holds for the calls of a setting: of its cluster in the same file, else the only one of a profile of its service."""
    own = _in_file(changed.file, context, destinations)
    if own is not None:
        return own
    files = {
        p.file
        for w in ("retryBudget", "retry_budget", "retryThrottling", "retryConstraint", "RetryBudget")
        for p in context.head.search([w]).get(w, ())[:10]
    }
    found = [
        b
        for f in sorted(files - {changed.file})
        if _names(context.head.text(f) or "", destinations) and (b := _in_file(f, context, destinations)) is not None
    ]
    return found[0] if len(found) == 1 else None


def _in_file(file: str, context: RuleContext, destinations: frozenset[str]) -> Budget | None:
    text = context.head.text(file) or ""
    if not re.search(r"(?i)retry_?budget|retry_?throttling|retry_?constraint", text):
        return None
    code = _CODE.search(text[:100_000])
    if code is not None:
        return Budget(float(code[1]), Place(file=file, line=text[: code.start()].count("\n") + 1))
    sites = value_sites(file, text)
    names = {
        s.path.removesuffix(".name"): host_of(str(s.value)) for s in sites if re.fullmatch(r".*\bclusters\.\d+\.name", s.path)
    }
    default: Budget | None = None
    for site in sites:
        block = next((name for prefix, name in names.items() if site.path.startswith(prefix + ".")), None)
        if block is not None and destinations and block not in destinations:
            continue
        said, value = "-".join(words_of(site.path)[-7:]), as_number(site.value)
        if value is None:
            continue
        if _PERCENT.search(said):
            return Budget(value / 100 if value > 1 else value, Place(file=file, line=site.line))
        if _RATIO.search(said):
            return Budget(value, Place(file=file, line=site.line))
        if re.search(r"retry-budget", said):
            default = default or Budget(_DEFAULT, Place(file=file, line=site.line))
    return default


def _names(text: str, destinations: frozenset[str]) -> bool:
    return any(host_of(word) in destinations for word in set(re.findall(r"[\w.-]{3,80}", text[:50_000])))
