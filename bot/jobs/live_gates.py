"""Watches what verdicts with a live gate rest on: an incident, alarm or deployment that opens or closes changes them without a commit."""

import logging
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

from bot.evaluation.live_gate import look_around
from bot.jobs.begin import begin
from bot.jobs.ports import Ports
from bot.storage.app_rows import EvaluationRow
from gonogo.context import ProductionContext
from gonogo.errors import GonogoError
from gonogo.evaluation import Evaluation
from gonogo.ports import Provider

OpenProduction = Callable[[], AbstractContextManager[Provider]]

log = logging.getLogger("gonogo.worker")


async def watch_gates(ports: Ports, production: OpenProduction) -> int:
    """Evaluate again every open pull request whose gate is not as its verdict found it; how many. The rest of it is not judged anew."""
    rows = await ports.stored(ports.store.gated)
    if not rows:
        return 0
    documents = [(row, (await ports.stored(ports.store.documents, row.id)).document) for row in rows]
    judged = [(row, Evaluation.model_validate_json(document)) for row, document in documents if document is not None]
    try:
        changed = await ports.stored(_changed, judged, production)
    except GonogoError as error:
        log.warning("production is not reached, gates are not looked at", extra={"why": str(error)})
        return 0
    begun = 0
    for row in changed:
        pull_request = await ports.stored(ports.store.pull_request, row.pull_request_id) if row.pull_request_id else None
        if pull_request is not None:
            raised = await begin(ports, pull_request, trigger="live gate", delivery=f"live:{row.id}")
            begun += raised.is_new
    return begun


def _changed(judged: Sequence[tuple[EvaluationRow, Evaluation]], production: OpenProduction) -> list[EvaluationRow]:
    """Those whose gate has opened or closed since; what can't be read now changes nothing."""
    found: list[EvaluationRow] = []
    with production() as provider:
        graph = provider.graph()
        for row, evaluation in judged:
            ids = {a.resource for a in evaluation.affected}
            try:
                now = ProductionContext(
                    read_at=provider.now(),
                    source=provider.name,
                    edges=tuple(graph.edges_to(ids)),
                    deploys=tuple(provider.deploys(ids)),
                    alarms=tuple(provider.alarms(ids)),
                )
                notes, gaps = look_around(provider, evaluation.affected, now)
            except Exception as error:  # noqa: BLE001  a source may raise what it likes
                log.warning("a gate was not looked at", extra={"evaluation": row.id, "why": str(error)})
                continue
            if not gaps and bool(notes) != evaluation.is_held:
                found.append(row)
    return found
