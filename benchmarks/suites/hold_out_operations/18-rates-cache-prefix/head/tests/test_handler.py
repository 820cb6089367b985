from fx import handler


def test_import():
    assert callable(handler.quote)
