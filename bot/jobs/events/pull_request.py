"""`pull_request`: a new head, another base, a draft that is none any more; closed, merged, unlocked."""

from bot.github.events import PullRequestEvent
from bot.jobs import outcomes
from bot.jobs.begin import begin
from bot.jobs.events.place import repository_of
from bot.jobs.facts import seen_pull_request
from bot.jobs.ports import Ports
from bot.storage.app_rows import Because, EvaluationState, PullRequestRow


async def handle(event: PullRequestEvent, guid: str, ports: Ports) -> None:
    """Act on what changed the question; a title, a body or a label changes no verdict, and texts do not roll it anew."""
    if await repository_of(event, ports) is None:
        return
    facts = event.pull_request.facts()
    row = await ports.stored(ports.store.see_pull_request, seen_pull_request(facts, now=ports.clock()))
    match event.action:
        case "opened":
            await begin(ports, row, trigger="opened", delivery=guid, unless_known=True)
        case "synchronize":
            before_sha = event.before if row.head_sha == facts.head_sha else None
            await begin(ports, row, trigger="synchronize", before_sha=before_sha, delivery=guid, unless_known=True)
        case "reopened" | "ready_for_review":
            await begin(ports, row, trigger=event.action, delivery=guid)
        case "edited" if event.is_retarget:
            await begin(ports, row, trigger="edited", delivery=guid, unless_known=True)
        case "converted_to_draft":
            await _as_draft(row, guid, ports)
        case "closed":
            await closed(row, ports)
        case "unlocked":
            await _comment_again(row, ports)
        case _:
            pass


async def closed(row: PullRequestRow, ports: Ports) -> None:
    """Nothing of it is evaluated any more; others with its head may now have the check to themselves."""
    await ports.stored(ports.store.cancel, row.subject, Because.CLOSED)
    for other in await ports.stored(ports.store.pull_requests_with_head, row.repository_id, row.head_sha):
        newest = await ports.stored(ports.store.newest, other.subject)
        if newest is not None:
            await ports.stored(ports.store.ask_check, newest)
    if row.merged_at is not None:
        await outcomes.merged(row, ports)


async def _as_draft(row: PullRequestRow, guid: str, ports: Ports) -> None:
    """What is under way is begun again without a model; a verdict that is there stays."""
    newest = await ports.stored(ports.store.newest, row.subject)
    if newest is None or newest.state in (EvaluationState.QUEUED, EvaluationState.RUNNING):
        await begin(ports, row, trigger="converted_to_draft", delivery=guid)


async def _comment_again(row: PullRequestRow, ports: Ports) -> None:
    newest = await ports.stored(ports.store.newest, row.subject)
    if newest is not None and newest.state is EvaluationState.CONCLUDED:
        await ports.stored(ports.store.ask_comment, newest)
