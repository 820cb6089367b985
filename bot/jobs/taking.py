"""Acknowledgements: somebody who may write takes a risk, with a reason; it holds for this very change."""

from collections.abc import Callable

from bot.jobs.ports import Ports
from bot.jobs.rerun import Shown
from bot.storage.app_rows import EvaluationRow, EvaluationState, Outcome, PullRequestRow

BY_BUTTON = "acknowledged with the button of the check, without further words"


async def take(
    ports: Ports,
    row: PullRequestRow,
    *,
    trajectory: str,
    reason: str,
    login: str,
    is_meant: Callable[[EvaluationRow], bool],
) -> str | None:
    """Take one risk by its id, or `*` for all that block; None, or why that is not possible.

    `is_meant` says whether the newest verdict is the one that was seen: nobody takes a risk that came after.
    """
    newest = await ports.stored(ports.store.newest, row.subject)
    if newest is None or newest.state is not EvaluationState.CONCLUDED:
        return "there is no verdict on the newest commit yet; acknowledge when there is one"
    if not is_meant(newest):
        return "the verdict is about a newer change than that; look at it, and acknowledge anew"
    if newest.outcome not in (Outcome.NO_GO, Outcome.COULD_NOT):
        return "nothing blocks this pull request, so there is nothing to acknowledge"
    blocking = [t.id for t in await ports.stored(ports.store.trajectories, newest.id) if t.blocks]
    if trajectory != "*" and trajectory not in blocking:
        there = ", ".join(f"`{at}`" for at in (*blocking, "*"))
        return f"no risk that blocks has the id `{trajectory}`; there is {there}, the last for everything"
    taken = await ports.stored(ports.store.acknowledge, newest.id, trajectory=trajectory, reason=reason, login=login)
    return None if taken is not None else "a newer commit is being evaluated; acknowledge when there is a verdict on it"


async def take_all(ports: Ports, shown: Shown, *, head_sha: str, external_id: str, login: str) -> None:
    """The button: everything that blocks the pull requests that the check run is about, as the run showed it."""
    for row in shown.pull_requests:
        await take(
            ports,
            row,
            trajectory="*",
            reason=BY_BUTTON,
            login=login,
            is_meant=lambda newest: newest.head_sha == head_sha and _is_shown(newest, external_id),
        )


def _is_shown(newest: EvaluationRow, external_id: str) -> bool:
    """A check run names the pull request whose verdict it shows, with its generation; of another one the head must do."""
    _, _, named = external_id.partition(":")
    pull_request, _, generation = named.partition(":")
    return pull_request != str(newest.pull_request_id) or generation == str(newest.generation)
