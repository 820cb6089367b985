"""Whether what takes messages, or what starts a job, is switched off in production already."""

from bot.investigator.asking import config
from bot.investigator.case import Case
from gonogo.evidence import ConfigEvidence
from gonogo.resource import Resource

_TIES = ("event_source_mapping", "subscription", "events.rule", "eventbridge", "scheduler.schedule", "trigger", "queue_consumer")
"""Kinds of resources of their own that stand between a source and its taker."""
_OFF = frozenset({"disabled", "disabling", "off", "false", "paused", "suspended", "inactive", "stopped"})
_SWITCHES = ("state", "enabled", "status", "is_enabled", "delivery_paused")
_STOPPED = ("suspend", "suspended", "paused")


def switched_off(case: Case, source: Resource | None, taker: Resource | None, *, kind: str) -> ConfigEvidence | None:
    """The live setting that has what stands between them off; None when it is on, or when nothing says so.

    Where the live source is not known, every live tie of that `kind` to the taker counts.

    Of several such resources all must be off: one that is on takes what arrives.
    """
    if taker is None:
        return None
    said = [_off(case, tie) for tie in case.production.resources if _stands_between(case, tie, source, taker, kind)]
    if said:
        return said[0] if all(said) else None
    return next((c for key in _STOPPED if (c := config(case, taker.id, key)) is not None and _is_true(c.value)), None)


def _stands_between(case: Case, tie: Resource, source: Resource | None, taker: Resource, kind: str) -> bool:
    if not any(word in tie.kind for word in _TIES):
        return False
    ends = {e.target for e in case.out_of(tie.id)} | {e.source for e in case.into(tie.id)}
    named = {str(value) for value in tie.attributes.values() if isinstance(value, str)}
    if taker.id not in ends | named:
        return False
    return tie.kind == kind if source is None else source.id in ends | named


def _off(case: Case, tie: Resource) -> ConfigEvidence | None:
    for key in _SWITCHES:
        cited = config(case, tie.id, key)
        if cited is None:
            continue
        is_off = _is_true(cited.value) if key == "delivery_paused" else str(cited.value).lower() in _OFF
        return cited if is_off else None
    return None


def _is_true(value: object) -> bool:
    return str(value).lower() in ("true", "yes", "1")
