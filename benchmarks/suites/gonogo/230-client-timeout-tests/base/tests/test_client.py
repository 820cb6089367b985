from booking.client import book


def test_ok(requests_mock):
    requests_mock.post("http://slots/slots/a", json={"ok": True})
    assert book("http://slots", "a")["ok"]
