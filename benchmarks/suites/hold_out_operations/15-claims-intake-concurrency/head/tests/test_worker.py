from intake import worker


def test_handler_is_callable():
    assert callable(worker.handler)
