from pricing.discount import discount


def test_ten_percent():
    assert discount(1000, 10) == 900
