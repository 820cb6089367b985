"""A queue loses its dead letter queue: what always fails comes back until it ages out, and holds up the rest."""

from collections.abc import Iterator

from bot.investigator.asking import Reading, metric, quote, quote_removed
from bot.investigator.case import Case
from bot.investigator.chain import Cited, compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.facts.traffic import per_second
from gonogo.resource import Relation, Resource
from gonogo.trajectory import Impact, Link, Refutation, Role, Trajectory
from heuristics.delivery import RemovedRedrive, removed_redrives

_WAITING = ("ApproximateNumberOfMessagesVisible", "NumberOfMessagesVisible", "messages_ready", "queue_messages")


def lost_dead_letters(case: Case) -> Iterator[Trajectory]:
    """One chain for every declaration whose failures go another way, or nowhere."""
    for removed in case.diff.once(removed_redrives):
        queue = _live(
            case, removed.before.kind, removed.before.name, case.diff.live_of(removed.after) or case.diff.live_of(removed.before)
        )
        dead = _live(case, "", removed.target, None)
        yield _told(case, removed, queue, dead, list(_settle(case, removed, queue, dead)))


def _settle(case: Case, removed: RemovedRedrive, queue: Resource | None, dead: Resource | None) -> Iterator[Link]:
    name = removed.before.name or removed.before.address
    if removed.moved_to is not None:
        place = removed.after.place(removed.moved_to, "head")
        cited: list[Cited] = [quote(case, place.file, place.line)]
        target = removed.moved_to_declared
        if target is not None:
            cited.append(quote(case, target.file, target.line))
            claim = f"failed messages of {name} would be lost; they go to {target.name or target.address} from now on"
            yield harm(claim, refuting=cited, refutation=Refutation.CREATED_HERE)
            return
        question = f"Does the new dead letter queue ({removed.moved_to.text}) exist, and may {name} send to it?"
        yield unknown(
            Role.HARM,
            f"failed messages of {name} go to a queue that these manifests don't declare",
            question,
            "aws sqs list-queues",
            *cited,
        )
        return
    yield mechanism(
        f"without a dead letter queue a message that always fails comes back to {name} until it ages out", *_line(case, removed)
    )
    failing = _failures(case, queue)
    arrived = metric(case, dead.id, ("NumberOfMessagesSent",), "sum") if dead is not None else None
    waiting = metric(case, dead.id, _WAITING, "max") if dead is not None else None
    first = metric(case, dead.id, _WAITING, "min") if dead is not None else None
    grows = waiting is not None and first is not None and waiting.value > first.value
    if failing is not None:
        yield exposure(f"what takes from {name} fails {per_second(failing.value)} on average", failing)
    used = arrived if arrived is not None else waiting
    if (
        dead is not None
        and used is not None
        and (used.value == 0 or grows or arrived is not None or (failing is not None and failing.value > 0))
    ):
        yield harm(
            f"{dead.name} has taken up to {used.value:,.0f} failed messages, which {name} keeps from now on",
            used,
            comparison=compare(used, ">", 0, "messages"),
        )
    elif failing is not None and failing.value == 0:
        yield harm(f"no message of {name} fails", failing, comparison=compare(failing, ">", 0))
    else:
        question = f"How many messages of {name} end in {removed.target or 'its dead letter queue'}?"
        query = f"aws sqs get-queue-attributes --queue-url {removed.target} --attribute-names ApproximateNumberOfMessages"
        yield unknown(Role.HARM, f"messages that fail hold up {name}", question, query, waiting, failing)


def _failures(case: Case, queue: Resource | None) -> Reading | None:
    if queue is None:
        return None
    takers = [e.target for e in case.out_of(queue.id, Relation.TRIGGERS)] + [
        e.source for e in case.into(queue.id, Relation.READS_FROM)
    ]
    for taker in [*takers, queue.id]:
        found = metric(case, taker, ("Errors", "ErrorsPerSecond"), "mean")
        if found is not None and found.unit == "1/s":
            return found
    return None


def _live(case: Case, kind: str, name: str | None, known: str | None) -> Resource | None:
    if known is not None:
        return case.production.resource(known)
    named = [r for r in case.production.resources if r.name == name and (not kind or r.kind == kind)]
    return named[0] if len(named) == 1 else None


def _line(case: Case, removed: RemovedRedrive) -> tuple[Cited, ...]:
    place = removed.before.place(removed.old, "base")
    return quote_removed(case, place.file, place.line)


def _told(case: Case, removed: RemovedRedrive, queue: Resource | None, dead: Resource | None, links: list[Link]) -> Trajectory:
    name = removed.before.name or removed.before.address
    is_safe = any(link.refuting for link in links)
    takers = [e.target for e in case.out_of(queue.id, Relation.TRIGGERS)] if queue is not None else []
    takers += [e.source for e in case.into(queue.id, Relation.READS_FROM)] if queue is not None else []
    what = "changes its dead letter queue" if removed.moved_to is not None else "loses its dead letter queue"
    return Trajectory(
        title=f"{name} {what} " + ("and failures still have a place" if is_safe else "and what fails comes back"),
        impact=Impact.LOW if is_safe else Impact.MEDIUM,
        resource=queue.id if queue is not None else case.repository,
        metric="ApproximateAgeOfOldestMessage",
        links=(trigger(f"{name} {what}", *_line(case, removed)), *links),
        make_safe="Keep the redrive policy (`maxReceiveCount` and `deadLetterTargetArn`), or point it at another queue in the same change.",
        undo="Put the redrive policy back; messages that aged out in between are lost.",
        path=tuple(
            dict.fromkeys(r for r in ((queue.id if queue else None), (dead.id if dead else None), *takers) if r is not None)
        ),
    )
