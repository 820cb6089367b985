"""The official code's outputs on a small model with random weights; tolerance 1e-4 of the p10 to p90 width."""

from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from forecasting.joint import ForecastRequest
from forecasting.toto_settings import TotoSettings, open_toto

FIXTURE = Path(__file__).parents[1] / "fixtures" / "toto"
RUNTIMES = ["torch"] if find_spec("toto2") else ["numpy"]
TOLERANCE = 1e-4


@pytest.fixture(scope="module")
def golden():
    with np.load(FIXTURE / "golden.npz", allow_pickle=False) as arrays:
        return dict(arrays)


@pytest.fixture(scope="module", params=RUNTIMES)
def toto(request):
    return open_toto(TotoSettings(folder=FIXTURE, runtime=request.param))


@pytest.mark.parametrize("case", ["plain", "gaps", "groups"])
def test_the_runtime_gives_what_the_official_code_gave(toto, golden, case):
    values, expected = golden[f"{case}_x"], golden[f"{case}_q"]
    observed = np.isfinite(values)
    centre, scale = np.nanmean(values, axis=1, keepdims=True), np.nanstd(values, axis=1, keepdims=True)
    target = np.where(observed, (values - centre) / scale, 0).astype(np.float32)

    answer = toto.network.quantiles(target, observed, golden[f"{case}_ids"], int(golden[f"{case}_h"]))

    band = np.moveaxis(answer, 0, -1) * scale[:, :, None] + centre[:, :, None]
    width = expected[..., -1:] - expected[..., :1]
    assert np.abs((band - expected) / width).max() < TOLERANCE


@pytest.mark.parametrize("case", ["plain", "gaps", "groups"])
def test_the_forecaster_gives_what_the_official_code_gave(toto, golden, case):
    values, expected = golden[f"{case}_x"], golden[f"{case}_q"]
    groups = tuple(int(group) for group in golden[f"{case}_ids"])
    ids = tuple(f"series {row}" for row in range(len(groups)))
    request = ForecastRequest(ids, values, 300.0, datetime(2026, 11, 1, tzinfo=UTC), expected.shape[1], groups=groups)

    answer = toto.forecast(request)

    width = expected[..., -1:] - expected[..., :1]
    assert np.abs((answer.quantiles - expected) / width).max() < TOLERANCE


def test_the_version_names_the_model_the_runtime_and_the_hash_of_the_weights(toto):
    assert toto.version.startswith("toto-2.0-298k (")
    assert "weights 06c11b750596" in toto.version
