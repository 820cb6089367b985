from decimal import Decimal

from payouts.money import round2


def test_half_up():
    assert round2(Decimal("1.005")) == Decimal("1.01")
