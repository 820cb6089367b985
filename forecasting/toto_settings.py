"""Which Toto: weights, their hash, the runtime. Read once, at a door."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from forecasting.toto_forecaster import TotoForecaster
from forecasting.toto_hub import fetch_weights
from forecasting.toto_numpy import NumpyNetwork
from forecasting.toto_weights import read_folder
from gonogo.errors import ForecastUnavailable

RUNTIMES = ("numpy", "torch")


@dataclass(frozen=True)
class TotoSettings:
    """Weights come from `folder`; from the model hub only when `hub` names a repository there and there is no folder.

    `sha256` pins the weights: others are refused. `revision` pins what the hub may give.
    """

    folder: Path | None = None
    sha256: str | None = None
    runtime: str = "numpy"
    device: str = "cpu"
    hub: str | None = None
    revision: str | None = None

    @classmethod
    def from_environment(cls, variables: Mapping[str, str]) -> Self | None:
        """`GONOGO_TOTO_DIR`, `_SHA256`, `_RUNTIME`, `_DEVICE`, `_HUB`, `_REVISION`; None when neither a folder nor the hub is named."""

        def value(name: str) -> str | None:
            return variables.get(f"GONOGO_TOTO_{name}", "").strip() or None

        folder, hub = value("DIR"), value("HUB")
        if folder is None and hub is None:
            return None
        return cls(
            folder=Path(folder).expanduser() if folder else None,
            sha256=value("SHA256"),
            runtime=value("RUNTIME") or "numpy",
            device=value("DEVICE") or "cpu",
            hub=hub,
            revision=value("REVISION"),
        )

    def to_mapping(self) -> dict[str, str]:
        """As variables again, for another process."""
        named = {
            "DIR": None if self.folder is None else str(self.folder.absolute()),
            "SHA256": self.sha256,
            "RUNTIME": self.runtime,
            "DEVICE": self.device,
            "HUB": self.hub,
            "REVISION": self.revision,
        }
        return {f"GONOGO_TOTO_{name}": value for name, value in named.items() if value}


def open_toto(settings: TotoSettings) -> TotoForecaster:
    """Read, check and load the weights; ForecastUnavailable says what is wrong with them or their runtime."""
    if settings.runtime not in RUNTIMES:
        raise ForecastUnavailable(f"GONOGO_TOTO_RUNTIME is {settings.runtime}", f"set it to {' or '.join(RUNTIMES)}")
    path = settings.folder or fetch_weights(settings.hub or "", revision=settings.revision)
    folder, arrays = read_folder(path, pinned_sha256=settings.sha256)
    if settings.runtime == "numpy":
        network = NumpyNetwork(folder.config, arrays)
    else:
        arrays.clear()
        from forecasting.toto import OfficialNetwork  # noqa: PLC0415  torch takes seconds to import

        network = OfficialNetwork(path, device=settings.device)
    notes = ("no covariates: the released weights were not trained for them",)
    if not folder.is_pinned:
        notes = (*notes, f"the weights are not pinned; GONOGO_TOTO_SHA256={folder.sha256} pins them")
    version = f"{folder.model} ({network.runtime}; weights {folder.sha256[:12]}, config {folder.config_sha256[:8]})"
    return TotoForecaster(network, version, notes)


def open_from_environment() -> TotoForecaster:
    """Toto as this process's variables name it; what the warm worker opens."""
    settings = TotoSettings.from_environment(os.environ)
    if settings is None:
        raise ForecastUnavailable("no weights of Toto are configured", "set GONOGO_TOTO_DIR to their folder")
    return open_toto(settings)
