import pytest
import requests

from booking.client import book


def test_ok(requests_mock):
    requests_mock.post("http://slots/slots/a", json={"ok": True})
    assert book("http://slots", "a")["ok"]


def test_times_out(requests_mock):
    requests_mock.post("http://slots/slots/a", exc=requests.Timeout)
    with pytest.raises(requests.Timeout):
        book("http://slots", "a", timeout=0.01, attempts=50)
    assert requests_mock.call_count == 50
