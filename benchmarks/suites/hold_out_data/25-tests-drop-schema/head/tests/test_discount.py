from pricing.discount import discount


def test_ten_percent():
    assert discount(1000, 10) == 900


def test_rounds_in_favour_of_the_house():
    assert discount(999, 10) == 900
