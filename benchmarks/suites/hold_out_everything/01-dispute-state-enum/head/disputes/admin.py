from .state import DisputeState

FILTERS = [DisputeState.OPEN]


def label(state: DisputeState) -> str:
    return state.value.title()
