"""A field of a shared schema goes, gets another number or another type while deployed readers decode the old one."""

from collections.abc import Iterator, Sequence

from bot.investigator.asking import quote, quote_removed
from bot.investigator.case import Case
from bot.investigator.chain import Cited, compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.chains.new_values import new_values
from bot.investigator.facts.runners import runners
from bot.investigator.facts.traffic import per_second
from bot.investigator.facts.wire_peers import Peer, peers_of
from bot.investigator.playbook import PlaybookInfo
from gonogo.trajectory import Impact, Link, Refutation, Role, Trajectory
from heuristics.delivery.wire_changes import Copy, WireChange, speaks_json, used_at_base, wire_changes

INFO = PlaybookInfo(id="wire-contract", question="Do deployed readers still decode what is sent from now on?")


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain for every changed field and program that exchanges its record."""
    for change in case.diff.once(wire_changes):
        peers = peers_of(case, change.head.file, change.record.short_name)
        if change.how == "renamed":
            yield from _renamed(case, change, peers)
            continue
        told = False
        for copy in change.copies:
            takers = {p.id for p in runners(case, copy.record.file)}
            for peer in [p for p in peers if p.program.id in takers][:3]:
                told = True
                yield _told(case, change, peer, _settled(case, change, copy, peer))
        if not told and (peers or change.copies):
            yield _unread(case, change, peers)
    yield from new_values(case)


def _renamed(case: Case, change: WireChange, peers: Sequence[Peer]) -> Iterator[Trajectory]:
    """A name is not on the wire of protobuf and Thrift, but it is in JSON."""
    at = quote(case, change.head.file, change.head.line)
    transcodes = speaks_json(case.diff)
    if transcodes is not None and not peers:
        return
    peer = peers[0] if peers else None
    if transcodes is None:
        number = change.before.key
        claim = f"readers would not find {change.before.name}; number {number} and type {change.before.type} stay, and only they are on the wire"
        yield _told(case, change, peer, [harm(claim, refuting=(at,), refutation=Refutation.UNCHANGED)])
        return
    question = f"Does anyone read {change.record.name} as JSON, where {change.before.name} is the key?"
    query = f"the calls of the JSON gateway that answer with {change.record.short_name}, over 7 days"
    claim = f"{transcodes.file} line {transcodes.line} makes JSON of messages, where names count"
    yield _told(case, change, peer, [unknown(Role.HARM, claim, question, query, quote(case, transcodes.file, transcodes.line))])


def _settled(case: Case, change: WireChange, copy: Copy, peer: Peer) -> list[Link]:
    kept, file = copy.field, copy.record.file
    line = quote(case, file, kept.line)
    by_name = change.record.encoding in ("avro", "json-schema")
    if by_name and change.how == "gone" and not kept.is_required:
        claim = f"{peer.program.name} would fail without {kept.name}; its schema ({file} line {kept.line}) has it optional"
        return [harm(claim, refuting=(line,), refutation=Refutation.HAS_DEFAULT)]
    use = quote(case, copy.use.file, copy.use.line) if copy.use is not None else None
    reads = f", and {copy.use.file} line {copy.use.line} reads it" if copy.use is not None else ""
    said = f"{peer.program.name} decodes by its own copy of the schema ({file} line {kept.line}), which has {kept.name} as {_shown(change, kept.key)}{reads}"
    links = [mechanism(said, line, use, *peer.edges)]
    breaks = f"{peer.program.name} {_outcome(change, by_name=by_name)}"
    if peer.rate is None or not (use is not None or (by_name and kept.is_required)):
        question = (
            f"What does {peer.program.name} do with a {change.record.short_name} without {kept.name}, and how many does it get?"
        )
        return [*links, unknown(Role.HARM, breaks, question, _query(peer), peer.rate)]
    rate = f"{peer.between.name} gets {change.record.short_name} traffic {per_second(peer.rate.value)} on average"
    return [*links, exposure(rate, peer.rate), harm(breaks, peer.rate, comparison=compare(peer.rate, ">", 0))]


def _unread(case: Case, change: WireChange, peers: Sequence[Peer]) -> Trajectory:
    """No copy of the schema shows what the peers decode."""
    own = {r.id for r in runners(case, change.head.file)} | {e.target for e in case.out_of(case.repository)}
    busy = [p for p in peers if p.rate is None or p.rate.value > 0]
    if peers and not busy and peers[0].rate is not None:
        claim = f"readers of {change.record.short_name} would miss {change.before.name}; nothing is exchanged"
        return _told(case, change, peers[0], [harm(claim, peers[0].rate, comparison=compare(peers[0].rate, ">", 0))])
    if peers and all(p.program.id in own for p in peers) and not used_at_base(case.diff, change):
        removed = quote_removed(case, change.path, change.before.line)
        claim = f"readers would miss {change.before.name}; no code of this repository reads it, and all its readers are deployed from here"
        return _told(case, change, peers[0], [harm(claim, refuting=removed, refutation=Refutation.NO_LONGER_USED)])
    peer = next((p for p in busy if p.program.id not in own), busy[0] if busy else None)
    who = peer.program.name if peer is not None else "a deployed reader"
    claim = f"{who} {_outcome(change, by_name=change.record.encoding in ('avro', 'json-schema'))}, if it decodes the old field"
    question = f"Does the deployed schema of {who} need {change.before.name}?"
    query = f"git grep -n {change.before.name}  # in the repository of {who}, at its deployed version; or its subject in the schema registry"
    links: list[Link] = []
    if peer is not None and peer.rate is not None:
        links.append(
            exposure(f"{peer.between.name} gets messages {per_second(peer.rate.value)} on average", peer.rate, *peer.edges)
        )
    cited: list[Cited] = [quote(case, c.record.file, c.field.line) for c in change.copies[:1]]
    return _told(case, change, peer, [*links, unknown(Role.HARM, claim, question, query, *cited)])


def _outcome(change: WireChange, *, by_name: bool) -> str:
    if change.how == "retyped":
        return f"cannot read {change.before.name}: {change.before.type} and {change.after.type if change.after else '?'} differ on the wire"
    if by_name:
        return f"cannot resolve a message without {change.before.name}"
    return f"finds no field {change.before.key} and takes {change.before.name} for empty or 0"


def _shown(change: WireChange, key: str) -> str:
    return f"number {key}" if change.record.encoding in ("protobuf", "thrift") else "a field"


def _query(peer: Peer) -> str:
    return f"the messages of {peer.between.name} a day, and the errors of {peer.program.name} when one lacks the field"


def _says(change: WireChange) -> str:
    old, new = change.before, change.after
    if change.how == "renamed":
        return f"{change.record.short_name}.{old.name} is called {new.name if new else '?'} from now on"
    if change.how == "retyped":
        return f"{change.record.short_name}.{old.name} changes from {old.type} to {new.type if new else '?'}"
    if new is not None and change.record.encoding in ("protobuf", "thrift"):
        return f"{change.record.short_name}.{old.name} goes from number {old.key} to {new.key}"
    return f"{change.record.short_name} loses {old.name}"


def _told(case: Case, change: WireChange, peer: Peer | None, links: Sequence[Link]) -> Trajectory:
    own = runners(case, change.head.file)
    safe = any(link.refuting or (link.comparison is not None and not link.comparison.holds()) for link in links)
    target = peer.program.id if peer is not None else own[0].id if own else case.repository
    ends = (
        "and is still read"
        if safe
        else "and readers decode the old one"
        if not any(link.question for link in links)
        else "and readers may decode the old one"
    )
    at = [quote(case, change.head.file, change.head.line)]
    if change.how == "gone":
        at = [*quote_removed(case, change.path, change.before.line), *at]
    return Trajectory(
        title=f"{_says(change)} {ends}",
        impact=Impact.LOW if safe else Impact.HIGH,
        resource=target,
        metric="Errors",
        links=(trigger(f"{_says(change)} ({change.head.file} line {change.head.line})", *at), *links),
        make_safe=f"Keep `{change.before.name}` as it is (a new field beside it is free), fill both, and take it away when every reader has moved.",
        undo="Deploy the previous version of the sender; what was sent in between stays as it is.",
        path=tuple(
            dict.fromkeys((target, *((peer.program.id, peer.between.id) if peer is not None else ()), *(r.id for r in own)))
        ),
    )
