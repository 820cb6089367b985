from disputes.admin import label
from disputes.state import DisputeState


def test_label():
    assert label(DisputeState.WON) == "Won"
    assert label(DisputeState.LOST) == "Lost"
