import pytest

from loyalty.points import points_for


@pytest.mark.parametrize(("tier", "points"), [("gold", 30), ("silver", 20), ("basic", 10), ("", 10)])
def test_tiers(tier, points):
    assert points_for(1050, tier) == points
