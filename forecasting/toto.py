"""Toto 2.0 by its own package: `toto-2` on torch. The only module that may import either.

It is the reference for the torch-free runtime and the one that can use a GPU. Importing it takes seconds and several hundred
MB, so nothing imports this module before torch is wanted, and it is best run in the warm worker.
"""

import math
import warnings
from contextlib import AbstractContextManager
from importlib import metadata
from pathlib import Path
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from forecasting.threads import usable_threads
from forecasting.toto_scaling import CAP, FALLBACK_MIN_OBS
from gonogo.errors import ForecastUnavailable


class _Torch(Protocol):
    int64: Any

    def set_num_threads(self, count: int, /) -> None: ...
    def from_numpy(self, array: NDArray[Any], /) -> Any: ...
    def inference_mode(self) -> AbstractContextManager[None]: ...


class OfficialNetwork:
    """The package's model of one local folder.

    Single pass: no cache, no state between calls, so threads may share it. `known_dynamic` is never passed: the code takes it in
    silence, but no released weights were trained for it.
    """

    def __init__(self, folder: Path, *, device: str = "cpu") -> None:
        self._torch, model_class = _packages()
        self._torch.set_num_threads(usable_threads())
        try:
            self._model: Any = model_class.from_pretrained(str(folder), map_location=device).eval().to(device)
        except (RuntimeError, ValueError, TypeError, KeyError, OSError, AssertionError) as error:
            raise ForecastUnavailable(f"toto-2 cannot load {folder} ({type(error).__name__}: {error})") from error
        self._device = device

    @property
    def runtime(self) -> str:
        """`torch`, with the package's version."""
        return f"torch {metadata.version('torch')}, toto-2 {metadata.version('toto-2')}"

    def quantiles(
        self, target: NDArray[np.float32], mask: NDArray[np.bool_], groups: NDArray[np.int64], horizon: int
    ) -> NDArray[np.float32]:
        """`[9, series, horizon]` of p10 to p90 for `[series, time]`, time a multiple of 32; `mask` is True where there was a reading."""
        inputs = {"target": target, "target_mask": mask, "series_ids": groups}
        with self._torch.inference_mode():
            answer = self._model.forecast(
                {name: self._torch.from_numpy(np.ascontiguousarray(a))[None].to(self._device) for name, a in inputs.items()},
                horizon,
                decode_block_size=None,
                has_missing_values=True,
                scaler_fallback_min_obs=FALLBACK_MIN_OBS,
                quantile_real_cap_k=CAP,
            )
        return cast("NDArray[np.float32]", answer[:, 0].cpu().numpy())

    def parameters(self) -> int:
        """How many numbers were trained."""
        return sum(math.prod(p.shape) for p in self._model.parameters())


def _packages() -> tuple[_Torch, Any]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of libraries about libraries
            import torch  # noqa: PLC0415  # pyright: ignore[reportMissingImports]
            from toto2 import (  # noqa: PLC0415  # pyright: ignore[reportMissingImports]
                Toto2Model,  # pyright: ignore[reportUnknownVariableType]
            )
    except ImportError as error:
        what_to_do = "install gonogo[toto], or set GONOGO_TOTO_RUNTIME=numpy"
        raise ForecastUnavailable(f"torch and toto-2 cannot be imported ({error})", what_to_do) from error
    return cast("_Torch", torch), cast("Any", Toto2Model)
