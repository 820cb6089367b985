import os
import re
import signal
import subprocess
import sys
from contextlib import contextmanager
from datetime import UTC, datetime

import numpy as np
import pytest

from bot.entrypoints.cli.forecast_serve import forecast_serve
from forecasting.joint import ForecastRequest
from forecasting.remote import RemoteForecaster
from forecasting.testing_toto import write_random_model
from forecasting.toto_settings import TotoSettings, open_toto
from forecasting.warm import configured, data_folder, remote, warm_toto
from gonogo.errors import CallError, ForecastUnavailable

SERVE = "import typer; from bot.entrypoints.cli.forecast_serve import forecast_serve; typer.run(forecast_serve)"


@contextmanager
def served(*arguments: str, **variables: str):
    """The address of a server that runs as a process of its own."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("GONOGO_")} | variables
    with subprocess.Popen(
        [sys.executable, "-I", "-c", SERVE, "--port", "0", *arguments], env=env, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            line = process.stderr.readline()
            found = re.search(r"(http://[\d.:]+)/v1/forecast \((.*)\)", line)
            assert found, line + process.stderr.read()
            yield found[1], found[2]
        finally:
            process.send_signal(signal.SIGKILL)


def a_request() -> ForecastRequest:
    values = np.random.default_rng(2).normal(50, 5, (2, 400))
    return ForecastRequest(("rate", "depth"), values, 300.0, datetime(2026, 11, 1, tzinfo=UTC), 24)


def test_a_team_shares_one_model_over_http(tmp_path):
    weights = write_random_model(tmp_path / "weights")
    variables = {"GONOGO_TOTO_DIR": str(weights), "GONOGO_DATA_DIR": str(tmp_path / "data"), "GONOGO_FORECAST_TOKEN": "ours"}

    with served(**variables) as (url, version):
        answer = RemoteForecaster(url, token="ours").forecast(a_request())
        with pytest.raises(ForecastUnavailable, match="401"):
            RemoteForecaster(url).forecast(a_request())
    for socket in (tmp_path / "data").rglob("*.sock"):
        socket.unlink()

    here = open_toto(TotoSettings(folder=weights))
    assert version == here.version
    assert np.allclose(answer.quantiles, here.forecast(a_request()).quantiles, rtol=1e-5)


def test_without_weights_a_server_for_toto_says_what_to_set(monkeypatch):
    monkeypatch.delenv("GONOGO_TOTO_DIR", raising=False)
    monkeypatch.delenv("GONOGO_TOTO_HUB", raising=False)

    with pytest.raises(CallError, match="set GONOGO_TOTO_DIR to their folder"):
        forecast_serve(backend="toto")


def test_a_remote_server_is_asked_before_local_weights_and_nothing_is_asked_that_is_not_configured(tmp_path):
    weights = {"GONOGO_TOTO_DIR": str(tmp_path), "GONOGO_DATA_DIR": str(tmp_path)}

    assert configured({}) is None
    assert remote({}) is None
    assert warm_toto({}) is None
    assert type(configured(weights)) is type(warm_toto(weights))
    assert isinstance(configured(weights | {"GONOGO_FORECAST_URL": "http://forecasts.internal:8077"}), RemoteForecaster)


def test_the_data_folder_is_the_named_one_else_that_of_the_users_state(tmp_path):
    assert data_folder({"GONOGO_DATA_DIR": str(tmp_path)}) == tmp_path
    assert data_folder({"XDG_STATE_HOME": str(tmp_path)}) == tmp_path / "gonogo"


def test_a_memory_limit_that_is_no_number_is_refused(tmp_path):
    with pytest.raises(ForecastUnavailable, match="GONOGO_FORECAST_MEMORY_MIB is plenty"):
        warm_toto({"GONOGO_TOTO_DIR": str(tmp_path), "GONOGO_FORECAST_MEMORY_MIB": "plenty"})


def test_the_worker_forecasts_with_the_22m_shape_within_its_limits(tmp_path):
    from forecasting.testing_toto import SHAPE_22M

    variables = {"GONOGO_TOTO_DIR": str(write_random_model(tmp_path / "weights", SHAPE_22M)), "GONOGO_DATA_DIR": str(tmp_path)}
    random = np.random.default_rng(0).normal(0, 1, (16, 4096)).cumsum(axis=1)
    request = ForecastRequest(tuple(map(str, range(16))), random, 300.0, datetime(2026, 11, 1, tzinfo=UTC), 336)

    worker = warm_toto(variables)
    answer = worker.forecast(request)
    for socket in tmp_path.rglob("*.sock"):
        socket.unlink()

    assert "toto-2.0-22m (numpy; weights" in answer.model
    assert np.isfinite(answer.quantiles).all()
