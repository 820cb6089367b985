"""A database, queue, bucket or other holder of state that the deploy deletes, with or without an empty one in its place."""

from collections.abc import Iterator, Mapping

from bot.investigator.asking import Reading, config, edge, metric_names, quote, quote_removed
from bot.investigator.case import Case
from bot.investigator.chain import Cited, compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.chains.lost_mounts import empty_directories
from bot.investigator.facts.already_live import already_live
from bot.investigator.facts.contents import USES, contents_of, empty_bytes, is_of_bytes, use_of
from bot.investigator.playbook import PlaybookInfo
from gonogo.evidence import ConfigEvidence
from gonogo.resource import Relation, Resource
from gonogo.trajectory import Impact, Link, Refutation, Role, Trajectory
from gonogo.word import ResourceId
from heuristics.stateful.losses import Loss, StateLoss, state_losses

INFO = PlaybookInfo(id="stateful-replacement", question="Does it hold data, and is it in use?")

_EXISTS = (
    "engine",
    "engine_version",
    "instance_class",
    "billing_mode",
    "versioning",
    "status",
    "node_type",
    "hash_key",
    "allocated_storage_gb",
)


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain a resource that goes, and one a directory of a program that is empty from now on."""
    for found in state_losses(case.diff):
        yield _chain(case, found)
    yield from empty_directories(case)


def _chain(case: Case, found: StateLoss) -> Trajectory:
    declared = found.declared
    live = _live(case, found)
    had = {c.key: cited for c in found.changes if live and (cited := already_live(case, live, c)) is not None}
    if had and len(had) < len(found.changes):
        found, had = found.without(had), {}
    name = (
        found.before
        if found.loss is Loss.CLASS_DELETED
        else live.name
        if live
        else found.name or declared.name or declared.address
    )
    line = quote(case, found.file, found.line) if found.side == "head" else None
    lines = (line,) if line else quote_removed(case, found.file, found.line)
    resource = ResourceId(live.id) if live else case.repository
    callers = [e for e in case.into(live.id) if e.relation not in (Relation.DEPLOYS_TO, Relation.OWNED_BY)] if live else []
    return Trajectory(
        title=f"{name} keeps what it holds under another address"
        if found.is_moved
        else f"{name} is deleted{' with the storage of its objects' if found.loss is Loss.CLASS_DELETED else '' if found.loss is Loss.REMOVED else ' and an empty one takes its place'}",
        impact=Impact.HIGH,
        resource=resource,
        metric=_metric_of(case, live),
        links=(
            trigger(_said(found, name), *lines),
            _drift(found, had, lines) if had else _mechanism(found, live, lines, case),
            _exposure(case, found, live, name),
            _harm(case, None if live and live.kind == "cloudflare.worker" else live, name),
        ),
        make_safe=(
            "Make the new one beside it under another name, copy the data, switch the clients over, and delete the old one in a later change."
            if found.loss is Loss.REPLACED
            else "Add a `moved` block (`moved { from = … to = … }`), and look for `0 to destroy` in the plan."
            if found.loss is Loss.READDRESSED
            else "Keep it out of the delete: `DeletionPolicy: Retain`, or a `removed` block with `destroy = false`; delete it when nothing uses it."
        ),
        path=(resource, *(ResourceId(e.source) for e in callers)),
        undo="What was deleted comes back from a backup or snapshot only; without one it is lost.",
    )


def _said(found: StateLoss, name: str) -> str:
    match found.loss:
        case Loss.REPLACED:
            what = f"`{found.keys[0]}` of {name} goes from {found.before} to {found.after}"
            return what + (f", and {', '.join(f'`{k}`' for k in found.keys[1:])} change too" if len(found.keys) > 1 else "")
        case Loss.REMOVED:
            return f"{name} is no longer in {found.file}"
        case Loss.CLASS_DELETED:
            return f"a migration of the Worker deletes the class {name}"
        case Loss.READDRESSED:
            says = "a `moved` block says so" if found.is_moved else "no `moved` block says so"
            return f"{name} moves from `{found.before}` to `{found.after}` and {says}"


def _drift(found: StateLoss, had: Mapping[str, ConfigEvidence], lines: tuple[Cited, ...]) -> Link:
    """Every setting that would force it is live already, so a refresh finds no difference."""
    said = " and ".join(f"`{e.key}` is {e.value} in production already" for e in had.values())
    claim = f"`{found.keys[0]}` cannot change in place; but {said}, so after a refresh nothing differs and nothing is replaced"
    return mechanism(claim, *lines, refuting=tuple(had.values()))


def _mechanism(found: StateLoss, live: Resource | None, lines: tuple[Cited, ...], case: Case) -> Link:
    said = {
        Loss.REPLACED: f"`{found.keys[0] if found.keys else ''}` cannot change in place: the tool deletes the resource and creates an empty one",
        Loss.REMOVED: "what is no longer declared is deleted by the deploy, with what it holds",
        Loss.CLASS_DELETED: "the class and everything that its objects store are deleted for good",
        Loss.READDRESSED: "to the tool these are two resources: it deletes one and creates the other",
    }[found.loss]
    if found.guard is not None:
        file, line, side = found.guard
        guard = quote(case, file, line, side=side)
        return mechanism(
            f"{said}; here it is kept: {guard.quote.strip()}", *lines, refuting=(guard,), refutation=Refutation.GUARDED
        )
    protected = config(case, live.id, "deletion_protection", "deletion_protection_enabled") if live else None
    if (
        protected is not None
        and protected.value is True
        and (found.loss is not Loss.READDRESSED or found.name)
        and not _unprotects(case, found)
    ):
        return mechanism(
            f"{said}; deletion protection is on, so the delete is refused and the deploy fails", *lines, refuting=(protected,)
        )
    if not found.is_certain:
        return unknown(
            Role.MECHANISM, said, "Does the plan say 'must be replaced'?", "terraform plan | grep -A3 'must be replaced'", *lines
        )  # fmt: skip
    return mechanism(said, *lines)


def _unprotects(case: Case, found: StateLoss) -> bool:
    return any(
        c.key.startswith("deletion_protection")
        and c.declared.address == found.declared.address
        and not (c.new and c.new.value is True)
        for c in case.diff.settings
    )


def _exposure(case: Case, found: StateLoss, live: Resource | None, name: str) -> Link:
    if live is None:
        return unknown(
            Role.EXPOSURE, f"{name} exists in production", f"Does {name} exist in production, and what uses it?",
            f"terraform state show '{found.declared.address}'; aws resourcegroupstaggingapi get-resources | grep {name}",
        )  # fmt: skip
    exists = config(case, live.id, *_EXISTS, *sorted(live.attributes))
    users = [e for e in case.into(live.id) if e.relation not in (Relation.DEPLOYS_TO, Relation.OWNED_BY)]
    edges = [edge(case, e.source, e.target, e.relation) for e in users[:3]]
    deployed = edge(case, case.repository, live.id, Relation.DEPLOYS_TO)
    said = f"{name} runs in production" + (
        f" and is used by {', '.join(e.source.rsplit('/', 1)[-1] for e in users[:3])}" if users else ""
    )
    return exposure(said, exists, *edges, deployed)


def _harm(case: Case, live: Resource | None, name: str) -> Link:
    used = use_of(case, live) if live else None
    held = contents_of(case, live) if live else None
    if used is not None and used.value > 0:
        number = f"{used.value:.3g}{' per second' if used.unit == '1/s' else ''}"
        return harm(
            f"{name} is in use (peak of {_name_of(used)}: {number}) and what it holds is gone after the deploy", used,
            *((held,) if held else ()), comparison=compare(used.value, ">", 0, used.unit),
        )  # fmt: skip
    empty = empty_bytes(live, is_idle=used is not None) if live and held is not None and is_of_bytes(held) else 0.0
    if held is not None and 0 < held.value <= empty:
        idle = f", and {_name_of(used)} was never above 0" if used is not None else ""
        return harm(
            f"{name} holds more than an empty one ({_name_of(held)}: {held.value:,.0f}{idle})", held, used,
            comparison=compare(held.value, ">", empty, held.unit),
        )  # fmt: skip
    if held is not None and held.value > 0:
        if used is None:
            return harm(
                f"what {name} holds ({_name_of(held)}: {held.value:,.0f}) is gone after the deploy",
                held,
                comparison=compare(held.value, ">", 0, held.unit),
            )
        return unknown(
            Role.HARM, f"{name} holds data ({_name_of(held)}: {held.value:,.0f}) that nothing read in the window", f"Is what {name} holds still needed?",
            f"ask the owner of {name}; take a snapshot before the deploy", held, used,
        )  # fmt: skip
    if used is not None:
        return harm(
            f"{name} is in use: {_name_of(used)} was never above 0 in the window",
            used,
            comparison=compare(used.value, ">", 0, used.unit),
        )
    return unknown(
        Role.HARM, f"what {name} holds is gone after the deploy", f"What does {name} hold, and who uses it?",
        "select relname, n_live_tup from pg_stat_user_tables; aws cloudwatch get-metric-statistics … DatabaseConnections Maximum",
    )  # fmt: skip


def _name_of(reading: Reading) -> str:
    evidence = reading.evidence
    match evidence.kind:
        case "metric":
            return evidence.metric
        case "config":
            return evidence.key
        case "database":
            return f"rows of {evidence.table}"
        case "log":
            return evidence.pattern


def _metric_of(case: Case, live: Resource | None) -> str:
    names = metric_names(case, live.id) if live else []
    return next((n for pattern in USES for n in names if pattern.fullmatch(n)), names[0] if names else "availability")


def _live(case: Case, found: StateLoss) -> Resource | None:
    if found.loss is Loss.CLASS_DELETED:
        worker = case.diff.live_of(found.declared)
        reached = {e.target for e in case.out_of(worker)} if worker else set[str]()
        named = [
            r
            for a in case.affected
            if a.resource in reached and (r := case.production.resource(a.resource)) and r.name == found.before
        ]
        return named[0] if len(named) == 1 else case.production.resource(worker) if worker else None
    if found.name:
        joined = case.live_of(found.declared)
        alike = [joined] if joined is not None and joined.name == found.name else []
        alike += [r for r in case.affected_of_kind(found.declared.kind) if r.name == found.name]
        return next(iter(alike), None)
    live = case.diff.live_of(found.declared)
    if live is None:
        kept = [
            d
            for d in case.diff.declared["base"].resources
            if (d.kind, d.address) == (found.declared.kind, found.declared.address)
        ]
        live = next((i for d in kept if (i := case.diff.live_of(d))), None)
    return case.production.resource(live) if live else None
