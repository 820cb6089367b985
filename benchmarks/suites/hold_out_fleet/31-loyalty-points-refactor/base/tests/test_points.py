from loyalty.points import points_for


def test_gold():
    assert points_for(1050, "gold") == 30
