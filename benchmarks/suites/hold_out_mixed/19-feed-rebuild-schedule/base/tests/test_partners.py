from jobs import partners


def test_all():
    assert len(partners.ALL) == 240
