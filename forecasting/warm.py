"""The forecasters of this host behind its warm worker, as the environment configures them."""

from collections.abc import Mapping
from pathlib import Path

from forecasting.joint import Forecaster
from forecasting.remote import RemoteForecaster
from forecasting.toto_settings import TotoSettings
from forecasting.worker import WarmWorker
from forecasting.worker_start import BUILTIN, TOTO, WorkerSettings
from gonogo.errors import ForecastUnavailable

_MIB = 2**20
_MEMORY_MIB = {"numpy": 1024, "torch": 4096}
"""Measured peaks: 240 MB with numpy, 1.4 GB with the CUDA build of torch on a CPU."""


def warm_toto(variables: Mapping[str, str]) -> WarmWorker | None:
    """Toto in the warm worker; None when no weights are configured. Nothing is started before the first question."""
    settings = TotoSettings.from_environment(variables)
    if settings is None:
        return None
    return WarmWorker(
        WorkerSettings(
            data_folder(variables) / "forecast",
            opener=TOTO,
            variables=settings.to_mapping(),
            memory_bytes=_memory_bytes(variables, settings.runtime),
            start_s=90.0 if settings.folder else 600.0,  # a download comes first
        )
    )


def warm_builtin(variables: Mapping[str, str]) -> WarmWorker:
    """The embedded default in the warm worker: for doors that should not do its arithmetic themselves."""
    return WarmWorker(
        WorkerSettings(data_folder(variables) / "forecast", opener=BUILTIN, memory_bytes=_memory_bytes(variables, "numpy"))
    )


def configured(variables: Mapping[str, str]) -> Forecaster | None:
    """What is asked before the embedded default: the remote server when one is named, else Toto when its weights are; None when neither."""
    return remote(variables) or warm_toto(variables)


def remote(variables: Mapping[str, str]) -> RemoteForecaster | None:
    """The server that `GONOGO_FORECAST_URL` names, with `GONOGO_FORECAST_TOKEN`; None when there is none."""
    url = variables.get("GONOGO_FORECAST_URL", "").strip()
    return RemoteForecaster(url, token=variables.get("GONOGO_FORECAST_TOKEN") or None) if url else None


def data_folder(variables: Mapping[str, str]) -> Path:
    """`GONOGO_DATA_DIR`, else `gonogo` in the user's state folder."""
    named = variables.get("GONOGO_DATA_DIR", "").strip()
    if named:
        return Path(named).expanduser().absolute()
    state = variables.get("XDG_STATE_HOME", "").strip()
    return (Path(state) if state else Path.home() / ".local" / "state") / "gonogo"


def _memory_bytes(variables: Mapping[str, str], runtime: str) -> int:
    named = variables.get("GONOGO_FORECAST_MEMORY_MIB", "").strip()
    if named and not (named.isdecimal() and int(named) >= 64):
        raise ForecastUnavailable(f"GONOGO_FORECAST_MEMORY_MIB is {named}", "write mebibytes, 64 or more")
    return (int(named) if named else _MEMORY_MIB.get(runtime, 1024)) * _MIB
