"""Evaluates again what a check run shows: the pull requests with its head, or its merge group."""

from bot.jobs.begin import begin, enqueue
from bot.jobs.facts import seen_pull_request
from bot.jobs.ports import Ports
from bot.storage.app_rows import EvaluationRow, PullRequestRow, RepositoryRow, group_subject
from gonogo.record import Record

TRIGGERS = frozenset({"rerequested", "requested_action", "command"})
"""Somebody asked for it: a verdict that is known for the same content is not given again unasked."""


class Shown(Record):
    """What a check run is about; `group` is the newest evaluation of a merge group."""

    pull_requests: tuple[PullRequestRow, ...] = ()
    group: EvaluationRow | None = None


async def subjects_shown(ports: Ports, repository: RepositoryRow, *, head_sha: str, external_id: str = "") -> Shown:
    """The open pull requests with this head, else the one that the check run names, else what GitHub says they are."""
    group = await ports.stored(ports.store.newest, group_subject(head_sha))
    found = await ports.stored(ports.store.pull_requests_with_head, repository.id, head_sha)
    named = external_id.split(":")
    if not found and len(named) == 3 and named[1].isdigit():
        row = await ports.stored(ports.store.pull_request, int(named[1]))
        found = [row] if row is not None and row.state == "open" and row.repository_id == repository.id else []
    if not found and group is None:
        for facts in await ports.forge(repository).pulls_of(head_sha):
            seen = seen_pull_request(facts, now=ports.clock())
            found.append(await ports.stored(ports.store.see_pull_request, seen))
    return Shown(tuple(found), group)


async def evaluate_again(ports: Ports, shown: Shown, *, trigger: str, login: str, delivery: str) -> None:
    """Begin a newer generation of each; audited."""
    for row in shown.pull_requests:
        await begin(ports, row, trigger=trigger, delivery=delivery)
        await _audited(ports, login=login, subject=row.subject, repository_id=row.repository_id)
    if shown.group is not None:
        group = shown.group
        raised = await ports.stored(
            ports.store.start_group,
            group.repository_id,
            head_sha=group.head_sha,
            base_sha=group.base_sha,
            base_ref=group.base_ref,
            trigger=trigger,
            delivery=delivery,
        )
        await enqueue(ports, raised)
        await _audited(ports, login=login, subject=group.subject, repository_id=group.repository_id)


async def _audited(ports: Ports, *, login: str, subject: str, repository_id: int) -> None:
    await ports.stored(ports.store.audit, login=login, action="evaluate", subject=subject, repository_id=repository_id)
