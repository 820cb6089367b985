"""Toto's weights from the model hub, for those who configured it: the hub's own client, one pinned snapshot, only the files we read."""

import re
from pathlib import Path
from typing import Any

from gonogo.errors import ForecastUnavailable

FILES = ["config.json", "model.safetensors", "model.safetensors.index.json", "model-*.safetensors"]


def fetch_weights(repository: str, *, revision: str | None) -> Path:
    """The local folder of one snapshot of `owner/name`, from the client's cache when it is there; safetensors and JSON, never code."""
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", repository):
        raise ForecastUnavailable(f"GONOGO_TOTO_HUB is {repository!r}", "name a repository, like Datadog/Toto-2.0-22m")
    hub = _client()
    try:
        return Path(str(hub.snapshot_download(repository, revision=revision, allow_patterns=FILES)))
    except (
        OSError,
        ValueError,
        RuntimeError,
    ) as error:  # what the client raises for the network, a missing repository, its cache
        first = str(error).strip().split("\n", maxsplit=1)[0]
        raise ForecastUnavailable(
            f"the model hub gave no weights of {repository} ({type(error).__name__}: {first})",
            "download them by hand and set GONOGO_TOTO_DIR",
            may_retry=True,
        ) from error


def _client() -> Any:
    try:
        import huggingface_hub  # noqa: PLC0415  # pyright: ignore[reportMissingImports]
    except ImportError as error:
        raise ForecastUnavailable("the hub's client is not installed", "install gonogo[toto], or set GONOGO_TOTO_DIR") from error
    return huggingface_hub  # pyright: ignore[reportUnknownVariableType]
