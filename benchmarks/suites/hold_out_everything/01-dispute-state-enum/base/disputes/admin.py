from .state import DisputeState

FILTERS = [DisputeState.OPEN, DisputeState.ESCALATED]


def label(state: DisputeState) -> str:
    return state.value.title()
