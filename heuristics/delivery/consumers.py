"""Consumers that a change takes away, switches off or scales to nothing, and what stands in for them."""

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Declared, Place, SettingChange
from heuristics.delivery.joiners import Tie, is_joiner, ties_of
from heuristics.rule import RuleContext
from heuristics.stages import production_settings

How = Literal["removed", "disabled", "stopped", "filtered"]
_SIZES = ("replicas", "desired_count", "max_replicas", "max_capacity", "instances", "machines", "count", "reserved_concurrency")
_FILTERS = pattern(r"filter_criteria|filter_policy|event_pattern|filters?(\.|$)|pattern\b", re.IGNORECASE)
_PROGRAMS = (
    "aws.lambda.function",
    "aws.ecs.service",
    "kubernetes.deployment",
    "kubernetes.statefulset",
    "cloudflare.worker",
    "google.",
)


class RemovedConsumer(Record):
    """One consumer that takes no more (or less) of what its source sends.

    `tie` is None for a program that takes messages by itself: which sources it has, only the live graph knows.
    """

    how: How
    tie: Tie | None
    program: Declared | None
    """The consumer's declaration at base, when the manifests have it."""
    name: str
    place: Place
    """The line that does it: removed (base side), or as it stands at head."""
    stand_in: Declared | None
    """What head declares in its place for the same source; it was not there before."""
    remaining: Declared | None
    """Another consumer of the same source that was there before and stays."""
    program_goes: bool = False


def removed_consumers(context: RuleContext) -> tuple[RemovedConsumer, ...]:
    """Every consumer that the manifests take away, one for each source."""
    settings = production_settings(context)
    if not settings:
        return ()
    before, after = ties_of(context.declared["base"]), ties_of(context.declared["head"])
    gone = {(c.before.kind, c.before.address) for c in settings if c.key == "" and c.before is not None and c.after is None}
    found = [_removed(tie, before, after, gone) for tie in before if (tie.joiner.kind, tie.joiner.address) in gone]
    covered = {(c.program.kind, c.program.address) for c in found if c.program is not None}
    for change in settings:
        found += _switched(change, before, after)
        found += _stopped(change, settings, covered)
    return tuple(found)


def _removed(tie: Tie, before: Sequence[Tie], after: Sequence[Tie], gone: set[tuple[str, str]]) -> RemovedConsumer:
    same = [t for t in after if _same_source(t, tie)]
    old = {(t.joiner.kind, t.joiner.address) for t in before}
    fresh = [t for t in same if (t.joiner.kind, t.joiner.address) not in old]
    if tie.is_fan_out:
        fresh = [t for t in fresh if t.taker_name == tie.taker_name or not _keeps_own(t, before)]
    stays = [t for t in same if t not in fresh and (not tie.is_fan_out or t.taker_name == tie.taker_name)]
    program_goes = tie.taker is not None and (tie.taker.kind, tie.taker.address) in gone
    return RemovedConsumer(
        how="removed",
        tie=tie,
        program=tie.taker,
        name=tie.taker_name,
        place=Place(file=tie.joiner.file, line=tie.joiner.line, side="base"),
        stand_in=fresh[0].joiner if fresh else None,
        remaining=stays[0].joiner if stays else None,
        program_goes=program_goes,
    )


def _keeps_own(tie: Tie, before: Sequence[Tie]) -> bool:
    """Whether this consumer already had the source, so that it replaces nobody."""
    return any(_same_source(t, tie) and t.taker_name == tie.taker_name for t in before)


def _same_source(a: Tie, b: Tie) -> bool:
    if a.source is not None and b.source is not None and a.source is not a.joiner:
        return a.source.address == b.source.address or (a.source.name is not None and a.source.name == b.source.name)
    return bool(a.source_text) and (a.source_text == b.source_text or (a.source_name == b.source_name != ""))


def _switched(change: SettingChange, before: Sequence[Tie], after: Sequence[Tie]) -> Iterator[RemovedConsumer]:
    """Switched off, or given a narrower filter."""
    if change.before is None or change.after is None or not is_joiner(change.after):
        return
    is_off = (change.key == "enabled" and change.new is not None and change.new.value in (False, "false")) or (
        change.key == "state" and change.new is not None and str(change.new.value).upper() == "DISABLED"
    )
    is_narrower = change.key != "environment" and _FILTERS.search(change.key) is not None and change.new is not None
    tie = next((t for t in before if t.joiner.address == change.before.address and t.joiner.kind == change.before.kind), None)
    if tie is None or not (is_off or is_narrower):
        return
    others = [
        t
        for t in after
        if _same_source(t, tie) and t.joiner.address != change.after.address and (t.joiner.settings.get("enabled") is None)
    ]
    yield RemovedConsumer(
        how="disabled" if is_off else "filtered",
        tie=tie,
        program=tie.taker,
        name=tie.taker_name,
        place=change.after.place(change.new),
        stand_in=None,
        remaining=others[0].joiner if others and not tie.is_fan_out else None,
    )


def _stopped(change: SettingChange, changes: Sequence[SettingChange], covered: set[tuple[str, str]]) -> Iterator[RemovedConsumer]:
    """A program that goes, or is scaled to nothing; its sources are in the live graph."""
    before = change.before
    if before is None or not before.kind.startswith(_PROGRAMS) or (before.kind, before.address) in covered:
        return
    if change.key == "" and change.after is None:
        added = [
            c.after for c in changes if c.key == "" and c.before is None and c.after is not None and c.after.kind == before.kind
        ]
        stand_in = next((one for one in added if _same_program(before, one)), None)
        yield RemovedConsumer(
            "removed",
            None,
            before,
            before.name or before.address,
            Place(file=before.file, line=before.line, side="base"),
            stand_in,
            None,
            program_goes=True,
        )
    elif (
        change.after is not None
        and change.key in _SIZES
        and change.new is not None
        and change.new.value == 0
        and _size(change) != 0
    ):
        yield RemovedConsumer(
            "stopped",
            None,
            before,
            before.name or before.address,
            change.after.place(change.new),
            None,
            None,
        )


def _size(change: SettingChange) -> object:
    return change.old.value if change.old is not None else None


def _same_program(before: Declared, after: Declared) -> bool:
    for key in ("image", "handler", "command", "main"):
        old, new = before.settings.get(key), after.settings.get(key)
        if old is not None and new is not None and _without_tag(old.value or old.text) == _without_tag(new.value or new.text):
            return True
    return False


def _without_tag(value: object) -> str:
    return re.sub(r":[\w.-]+$", "", str(value))
