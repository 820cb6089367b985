"""The official package on torch, with weights from a local folder, beside the torch-free runtime."""

import resource
import subprocess
import sys
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
import torch
from toto2 import Toto2Model

from forecasting.joint import ForecastRequest
from forecasting.testing_toto import SHAPE_22M, SMALL, write_random_model
from forecasting.toto import OfficialNetwork
from forecasting.toto_settings import TotoSettings, open_toto
from forecasting.worker import WarmWorker
from forecasting.worker_start import WorkerSettings
from gonogo.errors import ForecastUnavailable

pytestmark = pytest.mark.toto

SHAPES = {
    "as released": {},
    "variate layers first": {"variate_layer_first": True},
    "two variate layers": {"layer_group_size": 4, "num_variate_layers_per_group": 2},
    "only layers in time": {"num_variate_layers_per_group": 0},
    "normed queries": {"qk_norm": True, "qk_norm_include_weight": True},
    "normed queries without weights": {"qk_norm": True, "per_dim_scale": False},
    "weights in norms": {"norm_include_weight": True},
    "shared keys": {"num_heads": 4, "num_groups": 2, "qk_dim": 16},
    "plain rotary": {"use_xpos": False},
    "other biases": {"attn_bias": False, "mlp_bias": True},
    "width of the feed-forward by rule": {"d_ff": None},
}


def a_request(series: int, steps: int, horizon: int, *, seed: int = 0) -> ForecastRequest:
    random = np.random.default_rng(seed)
    values = random.normal(0, 1, (series, steps)).cumsum(axis=1)
    ids = tuple(f"series {row}" for row in range(series))
    return ForecastRequest(ids, values, 300.0, datetime(2026, 11, 1, tzinfo=UTC), horizon)


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
@pytest.mark.filterwarnings("ignore::Warning")
def test_both_runtimes_agree_on_every_shape_of_the_family(tmp_path, shape):
    folder = write_random_model(tmp_path, SMALL | shape, seed=3)
    request = a_request(4, 640, 100)
    request.values[1, :200] = np.nan
    request.values[2, 333:444] = np.nan
    request = replace(request, groups=(0, 0, 0, 1))

    ours = open_toto(TotoSettings(folder=folder)).forecast(request).quantiles
    official = open_toto(TotoSettings(folder=folder, runtime="torch")).forecast(request).quantiles

    width = official[..., -1:] - official[..., :1]
    assert np.abs((ours - official) / width).max() < 1e-4


def test_the_22m_shape_forecasts_16_series_of_2048_steps_336_ahead_on_the_cpu(tmp_path):
    folder = write_random_model(tmp_path, SHAPE_22M)
    official = open_toto(TotoSettings(folder=folder, runtime="torch"))
    request = a_request(16, 2048, 336)
    official.forecast(request)

    began = time.perf_counter()
    answer = official.forecast(request)
    seconds = time.perf_counter() - began

    ours = open_toto(TotoSettings(folder=folder)).forecast(request)
    width = answer.quantiles[..., -1:] - answer.quantiles[..., :1]
    assert answer.quantiles.shape == (16, 336, 9)
    assert np.isfinite(answer.quantiles).all()
    assert np.abs((ours.quantiles - answer.quantiles) / width).max() < 1e-4
    assert seconds < 30, "a request of the warm worker may take that long"
    assert "toto-2.0-22m (torch 2." in official.version
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 4096 * 1024


def test_the_bare_model_needs_what_the_adapter_does(tmp_path):
    """If one of these stops failing, a duty of the adapter may go."""
    model = Toto2Model.from_pretrained(str(write_random_model(tmp_path)), map_location="cpu").eval()
    values = torch.from_numpy(np.random.default_rng(0).normal(0, 1, (1, 2, 500)).astype(np.float32))
    ids = torch.zeros((1, 2), dtype=torch.int64)

    with pytest.raises(Exception, match=r"(?i)shape|divide|divisible"):
        model.forecast({"target": values, "target_mask": torch.ones_like(values, dtype=torch.bool), "series_ids": ids}, 40)

    whole = values[..., 20:].clone()
    observed = torch.ones_like(whole, dtype=torch.bool)
    whole[0, 0, 100], observed[0, 0, 100] = float("nan"), False
    poisoned = model.forecast({"target": whole, "target_mask": observed, "series_ids": ids}, 40)
    assert not torch.isfinite(poisoned).any()

    level = torch.from_numpy(np.random.default_rng(0).normal(1e9, 1, (1, 1, 480)).astype(np.float32))
    lifted = model.forecast(
        {"target": level, "target_mask": torch.ones_like(level, dtype=torch.bool), "series_ids": ids[:, :1]}, 40
    )
    assert len(np.unique(lifted.numpy())) < 40, "float32 has steps of 64 at 1e9"


def test_the_package_is_never_given_covariates_nor_blocks(tmp_path, monkeypatch):
    network = OfficialNetwork(write_random_model(tmp_path))
    given = {}
    forecast = Toto2Model.forecast

    def watched(self, inputs, horizon, **options):
        given.update(options, inputs=set(inputs))
        return forecast(self, inputs, horizon, **options)

    monkeypatch.setattr(Toto2Model, "forecast", watched)
    network.quantiles(np.zeros((1, 64), np.float32), np.ones((1, 64), bool), np.zeros(1, np.int64), 8)

    assert given["inputs"] == {"target", "target_mask", "series_ids"}
    assert not given["decode_block_size"]
    assert given["scaler_fallback_min_obs"] == 8
    assert given["quantile_real_cap_k"] == 10


def test_torch_uses_two_threads_at_most(tmp_path):
    OfficialNetwork(write_random_model(tmp_path))

    assert torch.get_num_threads() <= 2


def test_the_extra_runs_in_the_warm_worker(tmp_path):
    folder = write_random_model(tmp_path / "weights")
    settings = WorkerSettings(
        tmp_path / "data",
        variables=TotoSettings(folder=folder, runtime="torch").to_mapping(),
        memory_bytes=4096 * 2**20,
        idle_s=2,
        start_s=240,
    )
    request = a_request(3, 512, 40)

    answer = WarmWorker(settings).forecast(request)

    assert "torch" in answer.model
    assert np.array_equal(answer.quantiles, open_toto(TotoSettings(folder=folder, runtime="torch")).forecast(request).quantiles)


def test_the_torch_free_runtime_imports_no_torch():
    fixture = Path(__file__).parents[2] / "fixtures" / "toto"
    code = (
        "import sys; from pathlib import Path; from forecasting.toto_settings import TotoSettings, open_toto;"
        "open_toto(TotoSettings(folder=Path(sys.argv[1]))); print({'torch', 'toto2', 'scipy'} & set(sys.modules))"
    )

    done = subprocess.run([sys.executable, "-I", "-c", code, fixture], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "set()"


def test_weights_that_the_package_cannot_load_are_a_clear_failure(tmp_path):
    (tmp_path / "config.json").write_text("{}")

    with pytest.raises(ForecastUnavailable, match="toto-2 cannot load"):
        OfficialNetwork(tmp_path)
