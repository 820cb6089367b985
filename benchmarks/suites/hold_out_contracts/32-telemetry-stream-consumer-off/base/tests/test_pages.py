from telemetry.pages import clamp


def test_upper():
    assert clamp(5000) == 200
