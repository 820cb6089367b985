"""Where a change replaces, deletes or re-creates a resource that holds state."""

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from enum import StrEnum
from posixpath import dirname
from typing import cast

from gonogo.change import Side
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Declared, SettingChange
from heuristics.rule import RuleContext
from heuristics.stateful.addresses import LostInstance, handled, is_moved, regrouped, root_of
from heuristics.stateful.force_new import DEFAULTS, WRITTEN, holds_state, is_force_new


class Loss(StrEnum):
    """How the resource goes."""

    REPLACED = "replaced"
    REMOVED = "removed"
    READDRESSED = "readdressed"
    CLASS_DELETED = "class deleted"
    """A Durable Object class whose objects are deleted with their storage."""


class StateLoss(Record):
    """One resource that goes, the lines that say so, and what in the manifests protects it."""

    loss: Loss
    declared: Declared
    file: str
    line: int
    side: Side
    keys: tuple[str, ...] = ()
    changes: tuple[SettingChange, ...] = ()
    """The changes of those keys."""
    before: str = ""
    after: str = ""
    name: str = ""
    """Physical name of an instance of a counted block, which no declaration has."""
    is_moved: bool = False
    """A `moved` block, the guard, tells the tool that it stays."""
    is_certain: bool = True
    """False when a value is an expression, or the provider chose the old one."""
    guard: tuple[str, int, Side] | None = None
    """File, line and side of what keeps it: prevent_destroy, DeletionPolicy, `ignore_changes`, a `removed` block."""

    def without(self, keys: Collection[str]) -> "StateLoss":
        """The same loss for the other keys alone, of which there is at least one."""
        left = tuple(c for c in self.changes if c.key not in keys)
        at = left[0].place
        told = replace(self, file=at.file, line=at.line, side=at.side, keys=tuple(c.key for c in left), changes=left)
        return replace(
            told, before=_text(left[0], "old"), after=_text(left[0], "new"), is_certain=any(_is_known(c) for c in left)
        )


def state_losses(context: RuleContext) -> Iterator[StateLoss]:
    """One a resource: several settings that force replacement are one loss."""
    yield from _replaced(context)
    for change in context.settings:
        before = change.before if change.key == "" and change.after is None else None
        if before is not None and _is_lost(before.kind) and not _is_regrouped(context, before):
            yield _removed(context, before)
    yield from _readdressed(context)
    yield from _regrouped(context)
    yield from _classes_deleted(context)


def _classes_deleted(context: RuleContext) -> Iterator[StateLoss]:
    """`deleted_classes` of a new migration of a Worker."""
    for change in context.settings:
        if change.after is None or change.new is None or not _DELETED_CLASSES.fullmatch(change.key):
            continue
        listed = change.new.value
        for name in cast("list[object]", listed) if isinstance(listed, list) else [listed]:
            yield StateLoss(
                loss=Loss.CLASS_DELETED, declared=change.after, file=change.place.file, line=change.place.line, side="head", before=str(name)
            )  # fmt: skip


_DELETED_CLASSES = pattern(r"migrations\.\d+\.deleted_classes(\.\d+)?")


def _replaced(context: RuleContext) -> Iterator[StateLoss]:
    forcing: dict[str, list[SettingChange]] = {}
    for change in context.settings:
        if not (change.before and change.after) or _is_regrouped(context, change.before):
            continue
        if is_force_new(change.declared.kind, change.key, is_stack=_is_stack(change.declared)) and _differs(change):
            forcing.setdefault(f"{change.declared.kind}|{change.declared.file}|{change.declared.address}", []).append(change)
    for forced in forcing.values():
        assert forced[0].after is not None
        ignored = _ignored(forced[0].after)
        changes = [c for c in forced if not ignored(c.key)] or forced
        first = changes[0]
        assert first.before is not None
        assert first.after is not None
        at = first.place
        yield StateLoss(
            loss=Loss.REPLACED,
            declared=first.after,
            file=at.file,
            line=at.line,
            side=at.side,
            keys=tuple(c.key for c in changes),
            changes=tuple(changes),
            before=_text(first, "old"),
            after=_text(first, "new"),
            is_certain=any(_is_known(c) for c in changes),
            guard=_kept(first.after, "head") or (_line_of(first.after, "ignore_changes") if ignored(first.key) else None),
        )


def _ignored(declared: Declared) -> Callable[[str], bool]:
    """Whether `ignore_changes` of the block names a key."""
    setting = declared.settings.get("ignore_changes")
    listed = setting.value if setting is not None else None
    if setting is not None and setting.text.strip("\"'") == "all":
        return lambda _: True
    names = {str(n) for n in cast("list[object]", listed)} if isinstance(listed, list | tuple) else set[str]()
    return lambda key: bool(names & {key, key.partition(".")[0], *WRITTEN.get(key, ())})


def _line_of(declared: Declared, key: str) -> tuple[str, int, Side]:
    at = declared.place(declared.settings[key])
    return at.file, at.line, "head"


def _is_lost(kind: str) -> bool:
    """Queues, topics and streams that go are about who still sends: their consumers and producers are looked at elsewhere."""
    return holds_state(kind) and kind not in (
        "aws.sqs.queue",
        "aws.sns.topic",
        "google.pubsub.topic",
        "google.pubsub.subscription",
    )


def _differs(change: SettingChange) -> bool:
    """False when an absent side means the value of the other one."""
    old = change.old.value if change.old else DEFAULTS.get(change.key, ...)
    new = change.new.value if change.new else DEFAULTS.get(change.key, ...)
    return old != new


def _is_known(change: SettingChange) -> bool:
    sides = (change.old, change.new)
    return all((s.value is not None) if s else change.key in DEFAULTS for s in sides)


def _text(change: SettingChange, which: str) -> str:
    setting = change.old if which == "old" else change.new
    if setting is None:
        return str(DEFAULTS[change.key]) if change.key in DEFAULTS else "unset"
    return setting.text or str(setting.value)


def _removed(context: RuleContext, before: Declared) -> StateLoss:
    return StateLoss(
        loss=Loss.REMOVED,
        declared=before,
        file=before.file,
        line=before.line,
        side="base",
        guard=_retained(before) or _forgotten(context, before),
    )


def _readdressed(context: RuleContext) -> Iterator[StateLoss]:
    """The same physical name under another address, with nothing that tells the tool so: it deletes one and makes one."""
    kept = {(d.kind, d.address, dirname(d.file)) for d in context.declared["head"].resources}
    before = [
        d for d in context.declared["base"].resources
        if holds_state(d.kind) and d.name and _is_addressed(d) and not _is_regrouped(context, d) and (d.kind, d.address, dirname(d.file)) not in kept
    ]  # fmt: skip
    old_addresses = {(d.kind, d.address, dirname(d.file)) for d in context.declared["base"].resources}
    for old in before:
        for new in context.declared["head"].resources:
            is_same = (new.kind, new.name, dirname(new.file)) == (old.kind, old.name, dirname(old.file))
            if is_same and (new.kind, new.address, dirname(new.file)) not in old_addresses and not _is_moved(context, old, new):
                yield StateLoss(
                    loss=Loss.READDRESSED, declared=new, file=new.file, line=new.line, side="head", before=old.address, after=new.address,
                    guard=_kept(new, "head"),
                )  # fmt: skip


def _is_regrouped(context: RuleContext, declared: Declared) -> bool:
    return (declared.kind, root_of(declared.address)) in handled(context)


def _is_moved(context: RuleContext, old: Declared, new: Declared) -> bool:
    return "moved_from" in new.settings or is_moved(context, old.address, new.address)


_MOST = 6
"""Instances of one change that are told of; they share the cause."""


def _regrouped(context: RuleContext) -> Iterator[StateLoss]:
    """Instances whose address goes because the block is counted or keyed in another way."""
    held = [i for i in context.once(regrouped) if holds_state(i.declared.kind)]
    lost = [i for i in held if i.moved is None]
    moved = [i for i in held if i.moved is not None and not any(o.declared.kind == i.declared.kind for o in lost)]
    for instance in [*lost[:_MOST], *moved[:1]]:
        at = instance.place
        guard = _kept(instance.declared, "head") or _let_go(context, instance)
        if instance.moved is not None:
            guard = (instance.moved.file, instance.moved.line, "head")
        yield StateLoss(
            loss=Loss.READDRESSED if not instance.is_renamed else Loss.REPLACED,
            declared=instance.declared,
            file=at.file,
            line=at.line,
            side="head",
            keys=("name",) if instance.is_renamed else (),
            before=instance.before if not instance.is_renamed else instance.name,
            after=instance.after or "nothing",
            name=instance.name,
            is_moved=instance.moved is not None,
            guard=guard,
        )


def _let_go(context: RuleContext, instance: LostInstance) -> tuple[str, int, Side] | None:
    return _forgotten(context, instance.declared) if instance.after is None else None


def _is_addressed(declared: Declared) -> bool:
    return declared.file.endswith((".tf", ".tf.json", ".tofu")) or declared.address.startswith("Resources.")


def _is_stack(declared: Declared) -> bool:
    return not declared.file.endswith((".tf", ".tf.json", ".tofu"))


def _kept(declared: Declared, side: Side) -> tuple[str, int, Side] | None:
    """`prevent_destroy` makes the plan fail before anything goes."""
    setting = declared.settings.get("prevent_destroy")
    at = declared.place(setting, side)
    return (at.file, at.line, side) if setting and setting.value is True else None


def _retained(before: Declared) -> tuple[str, int, Side] | None:
    """CloudFormation goes by the policy of the template that is deployed: the base."""
    setting = before.settings.get("deletion_policy")
    is_retained = setting is not None and str(setting.value).lower().startswith("retain")
    at = before.place(setting, "base")
    return (at.file, at.line, "base") if setting and is_retained else None


_FORGOTTEN = pattern(r"removed\s*\{(?P<body>[^{}]{0,400}(?:\{[^{}]{0,200}\}[^{}]{0,200})?)\}")


def _forgotten(context: RuleContext, before: Declared) -> tuple[str, int, Side] | None:
    """Terraform's `removed` block with `destroy = false` takes it out of the state and leaves it running."""
    if not before.file.endswith(".tf"):
        return None
    folder = dirname(before.file)
    for path in context.head.paths():
        if path.endswith(".tf") and dirname(path) == folder and "removed" in (text := context.head.text(path) or ""):
            for block in _FORGOTTEN.finditer(text):
                if before.address in block["body"] and re.search(r"destroy\s*=\s*false", block["body"]):
                    return path, text.count("\n", 0, block.start()) + 1, "head"
    return None
