from indexer.sink import bulk


def test_bulk_counts():
    assert bulk([1, 2, 3]) == 3
