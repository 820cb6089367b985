from shipments.dates import iso


def test_none():
    assert iso(None) is None
