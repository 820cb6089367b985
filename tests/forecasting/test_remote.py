import json
import socket
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from forecasting.joint import Bounds, ForecastRequest, SeriesKind
from forecasting.remote import RemoteForecaster
from forecasting.serving import ForecastServer
from forecasting.testing_toto import write_random_model
from forecasting.testing_worker import Misbehaving
from forecasting.toto_settings import TotoSettings, open_toto
from gonogo.errors import ForecastUnavailable


def a_request(name: str = "queue", **changes) -> ForecastRequest:
    values = np.array([[1.0, 2.0, np.nan, 4.0]])
    return ForecastRequest((name,), values, 60.0, datetime(2026, 11, 1, tzinfo=UTC), 2, **changes)


@contextmanager
def serving(server: ThreadingHTTPServer) -> Iterator[str]:
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def url() -> Iterator[str]:
    with serving(ForecastServer(("127.0.0.1", 0), Misbehaving())) as address:
        yield address


def saying(status: int, body: bytes, **headers: str) -> ThreadingHTTPServer:
    """A server that gives one answer to everything."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args):
            pass

    return ThreadingHTTPServer(("127.0.0.1", 0), Handler)


def posted(url: str, body: bytes, **headers: str) -> tuple[int, dict]:
    call = urllib.request.Request(url + "/v1/forecast", data=body, headers=headers)
    try:
        with urllib.request.urlopen(call, timeout=10) as response:
            return response.status, json.loads(response.read())
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.loads(error.read())


def test_a_remote_forecast_is_the_one_that_the_server_would_make(tmp_path):
    toto = open_toto(TotoSettings(folder=write_random_model(tmp_path)))
    random = np.random.default_rng(5)
    values = random.normal(1e6, 3, (2, 300))
    values[0, 40:60] = np.nan
    request = ForecastRequest(
        ("rate", "depth"),
        values,
        300.0,
        datetime(2026, 11, 1, tzinfo=UTC),
        40,
        levels=(0.1, 0.5, 0.9),
        groups=(0, 0),
        bounds=(Bounds(0.0, None), Bounds()),
        kinds=(SeriesKind.RATE, SeriesKind.GAUGE),
        period=288,
    )

    with serving(ForecastServer(("127.0.0.1", 0), toto)) as url:
        remote = RemoteForecaster(url)
        answer = remote.forecast(request)
        version, capabilities = remote.version, remote.capabilities

    here = toto.forecast(request)
    assert np.array_equal(answer.quantiles, here.quantiles)
    assert (answer.model, answer.diagnoses, answer.levels) == (here.model, here.diagnoses, here.levels)
    assert version == f"remote toto {toto.version}"
    assert capabilities == toto.capabilities


def test_a_person_may_ask_with_lists_and_null(url):
    body = json.dumps({"values": [[1, None, 3]], "horizon": 2, "levels": [0.1, 0.9], "step_s": 60}).encode()

    status, answer = posted(url, body)

    assert status == 200
    assert answer["quantiles"] == [[[3.0, 3.0], [3.0, 3.0]]]


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"{", "not JSON"),
        (b"[]", "not a JSON object"),
        (b"[" * 100_000, "not JSON"),
        (b"{}", "at least values and horizon"),
        (b'{"values": [[1, 2], [3]], "horizon": 2}', "values"),
        (b'{"values": [["a"]], "horizon": 2}', "values"),
        (b'{"values": {"shape": [1, 99999999999], "float64": ""}, "horizon": 2}', "shape"),
        (b'{"values": [[1]], "horizon": 2, "levels": [NaN]}', "levels"),
        (b'{"values": [[1]], "horizon": "many"}', "many"),
        (b'{"values": [[1]], "horizon": 2, "kinds": ["wish"]}', "wish"),
        (b'{"values": [[1]], "horizon": 2, "start": "yesterday"}', "yesterday"),
        (b'{"values": [[1]], "horizon": 2, "bounds": [[0]]}', "request"),
    ],
)
def test_what_is_no_request_is_400_with_the_reason(url, body, why):
    status, answer = posted(url, body)

    assert status == 400
    assert why in answer["error"]


def test_a_request_that_the_forecaster_cannot_take_is_422_and_a_fault_500(url):
    def asked(name: str) -> tuple[int, dict]:
        return posted(url, json.dumps({"ids": [name], "values": [[1.0]], "horizon": 2}).encode())

    assert asked("refuse") == (422, {"error": "forecast: no such thing; ask for another"})
    assert asked("fault") == (500, {"error": "ZeroDivisionError in the forecaster"})
    assert asked("queue")[0] == 200


def test_without_its_token_nobody_is_served():
    with serving(ForecastServer(("127.0.0.1", 0), Misbehaving(), token="right")) as url:
        assert RemoteForecaster(url, token="right").forecast(a_request()).model == "misbehaving 1"
        with pytest.raises(ForecastUnavailable, match="refused with 401"):
            RemoteForecaster(url, token="wrong").forecast(a_request())
        with pytest.raises(ForecastUnavailable, match="refused with 401"):
            RemoteForecaster(url).forecast(a_request())


def test_too_long_a_body_is_refused_before_it_is_read(url):
    host, port = url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=10) as connection:
        connection.sendall(b"POST /v1/forecast HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n")
        assert b" 413 " in connection.makefile("rb").readline()


def test_more_than_a_few_at_once_are_told_to_come_back():
    server = ForecastServer(("127.0.0.1", 0), Misbehaving())
    for _ in range(9):
        server.places.acquire()
    with serving(server) as url, pytest.raises(ForecastUnavailable, match="refused with 503: busy; ask again") as failure:
        RemoteForecaster(url).forecast(a_request())

    assert failure.value.may_retry


@pytest.mark.parametrize(
    ("status", "body", "why"),
    [
        (200, b"<html>", "not JSON"),
        (200, b"[]", "no answer"),
        (200, b"{}", "lacks 'model'"),
        (500, b"oops", "refused with 500"),
    ],
)
def test_a_server_that_talks_nonsense_is_a_clear_failure(status, body, why):
    with serving(saying(status, body)) as url, pytest.raises(ForecastUnavailable, match=why):
        RemoteForecaster(url).forecast(a_request())


def an_answer(**changes) -> bytes:
    good = {
        "model": "m",
        "levels": [0.1, 0.9],
        "quantiles": [[[1, 2], [1, 2]]],
        "diagnoses": [{"used_context": 4, "refused": None}],
    }
    return json.dumps(good | changes).encode()


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"levels": [0.1, 0.5]}, "for other levels"),
        ({"quantiles": [[[1, 2]]]}, "has shape"),
        ({"quantiles": [[[2, 1], [1, 2]]]}, "not finite and sorted"),
        ({"quantiles": [[[None, 1], [1, 2]]]}, "not finite and sorted"),
        ({"quantiles": [[[-1, 2], [1, 2]]]}, "leaves the bounds of queue"),
        ({"diagnoses": []}, "has shape"),
        ({"diagnoses": [{"used_context": 4, "refused": "no"}]}, "refuses queue and forecasts it"),
        ({"paths": [[[1]]]}, "paths of shape"),
    ],
)
def test_an_answer_that_breaks_its_promises_is_not_believed(changes, why):
    request = a_request(levels=(0.1, 0.9), bounds=(Bounds(0.0, 10.0),))
    with serving(saying(200, an_answer())) as url:
        assert RemoteForecaster(url).forecast(request).quantiles.shape == (1, 2, 2)

    with serving(saying(200, an_answer(**changes))) as url, pytest.raises(ForecastUnavailable, match=why):
        RemoteForecaster(url).forecast(request)


def test_a_redirect_is_not_followed_with_our_readings(url):
    elsewhere = saying(307, b"", Location=url + "/v1/forecast")

    with serving(elsewhere) as other, pytest.raises(ForecastUnavailable, match="refused with 307"):
        RemoteForecaster(other, token="secret").forecast(a_request())


def test_nobody_there_and_nobody_answering_are_clear_failures():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        with pytest.raises(ForecastUnavailable, match=r"no answer within 0\.3 s"):
            RemoteForecaster(f"http://127.0.0.1:{port}", timeout_s=0.3).forecast(a_request())

    with pytest.raises(ForecastUnavailable, match="cannot be asked"):
        RemoteForecaster(f"http://127.0.0.1:{port}", timeout_s=5).forecast(a_request())
    with pytest.raises(ForecastUnavailable, match="not the address of a forecast server"):
        RemoteForecaster("file:///etc/passwd")


def test_an_answer_that_trickles_in_ends_at_the_time_limit():
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            self.send_response(200)
            self.send_header("Content-Length", "100000")
            self.end_headers()
            try:
                while True:
                    self.wfile.write(b" ")
                    self.wfile.flush()
                    threading.Event().wait(0.05)
            except OSError:
                self.close_connection = True

        def log_message(self, *args):
            pass

    trickling = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    with serving(trickling) as url, pytest.raises(ForecastUnavailable, match=r"no answer within 0\.5 s"):
        RemoteForecaster(url, timeout_s=0.5).forecast(a_request())
