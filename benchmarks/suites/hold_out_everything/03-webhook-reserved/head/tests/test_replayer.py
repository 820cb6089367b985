from replayer import handler


def test_counts():
    assert handler({"ids": [1, 2]}, None) == {"replayed": 2}
