from tracker.tables import visits


def test_schema():
    assert visits.schema == "tracking"
