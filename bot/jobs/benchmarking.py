"""Asked for a benchmark: its check run says what comes of it, and never touches the required one."""

from bot.jobs.ports import Ports
from bot.storage.app_rows import RepositoryRow

BENCH_NAME = "gonogo bench"
NOT_SET_UP = "No benchmark is set up for this repository."


async def begin_benchmark(ports: Ports, repository: RepositoryRow, *, head_sha: str, login: str, key: str) -> bool:
    """Whether one was begun. Without one the check `gonogo bench` says so, where there is an evaluation of this commit to hang it on."""
    for evaluation in await ports.stored(ports.store.worst_of, repository.id, head_sha):
        detail = {"delivery": key}
        await ports.stored(
            ports.store.audit, login=login, action="bench", subject=evaluation.subject, repository_id=repository.id, detail=detail
        )
        payload = {"title": "No benchmark", "summary": NOT_SET_UP, "conclusion": "neutral"}
        await ports.stored(ports.store.ask_check, evaluation, BENCH_NAME, payload)
    return False
