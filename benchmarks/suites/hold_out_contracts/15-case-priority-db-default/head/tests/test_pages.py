from desk.pages import clamp


def test_upper():
    assert clamp(5000) == 200


def test_lower():
    assert clamp(-3) == 1
