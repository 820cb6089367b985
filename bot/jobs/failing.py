"""What becomes of an evaluation when a step fails: tried again later, given up since nobody wants it, or 'could not evaluate'."""

import logging
from datetime import timedelta

from redis.exceptions import RedisError
from sqlalchemy.exc import SQLAlchemyError

from bot.jobs.child import ChildFailed
from bot.jobs.judge import could_not, standing_policy
from bot.jobs.ports import Ports
from bot.jobs.range import NotThereYet
from bot.storage.app_rows import EvaluationRow, Result
from gonogo.errors import (
    Archived,
    CallError,
    ForgeError,
    ForgeUnavailable,
    NotFoundYet,
    StageFailed,
    Suspended,
    Throttled,
)
from gonogo.evaluation import Failure
from gonogo.record import Record

MAX_ATTEMPTS = 8
"""Claims of one evaluation, dead workers included, before it is said that it could not be evaluated."""
_FIRST_WAIT_S, _LONGEST_WAIT_S = 5.0, 120.0

log = logging.getLogger("gonogo.worker")


class Postponed(Record):
    """Nothing is known yet; claimed again after `wait`."""

    wait: timedelta
    why: str


async def failed(ports: Ports, row: EvaluationRow, error: Exception) -> Result | Postponed | None:
    """What to do about it; None when there is nothing left to evaluate."""
    match error:
        case Suspended():
            await ports.stored(
                ports.store.set_installation_state, row.installation_id, "deleted" if error.is_removed else "suspended"
            )
            return None
        case Archived():
            await ports.stored(ports.store.set_repository_state, row.repository_id, "archived")
            return None
        case Throttled():
            return Postponed(max(error.not_before - ports.clock(), timedelta(seconds=1)), str(error))
        case NotThereYet() | NotFoundYet() | ForgeUnavailable() | SQLAlchemyError() | RedisError() if row.attempt < MAX_ATTEMPTS:
            wait_s = min(_FIRST_WAIT_S * 2 ** (row.attempt - 1), _LONGEST_WAIT_S)
            return Postponed(timedelta(seconds=wait_s), _in_short(error))
        case _:
            return could_not(row, failure_of(error), await standing_policy(ports, row))


def _in_short(error: Exception) -> str:
    """A store that is away is told by its kind: its own words hold addresses and statements."""
    return f"the store is away ({type(error).__name__})" if isinstance(error, SQLAlchemyError | RedisError) else str(error)


def failure_of(error: Exception) -> Failure:
    """What the check says; a fault of our own is logged with all that is known about it, and said without."""
    match error:
        case StageFailed():
            return Failure(stage=error.stage, why=error.why, what_to_do=error.what_to_do)
        case CallError():
            return Failure(stage="changes", why=str(error))
        case ForgeError():
            return Failure(stage="GitHub", why=str(error))
        case ChildFailed():
            log.error("the evaluating process failed", extra={"why": str(error)})
            return Failure(stage="evaluation", why=str(error), what_to_do="evaluate again; the log of the worker has more")
        case _:
            log.error("a fault of gonogo", exc_info=error)
            return Failure(stage="evaluation", why=f"a fault of gonogo ({type(error).__name__})", what_to_do="please report it")
