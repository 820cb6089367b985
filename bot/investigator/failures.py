"""Our own faults, told as a user may report them."""

from gonogo.evaluation import Failure


def failure_of(stage: str, error: BaseException) -> Failure:
    """An error of ours, as a user may report it: what and where, without a traceback."""
    at = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    where = f" ({at.tb_frame.f_globals.get('__name__', '?')} line {at.tb_lineno})" if at else ""
    return Failure(
        stage=stage, why=f"{type(error).__name__}: {error}{where}", what_to_do="this is a fault of gonogo; please report it"
    )
