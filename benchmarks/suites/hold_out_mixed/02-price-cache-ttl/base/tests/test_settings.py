from gateway import settings


def test_negative_is_short():
    assert settings.NEGATIVE_TTL_S < 60
