"""Forecasts of statsforecast's models for the forecasting bench; run by the Python that has statsforecast.

`python forecasting_peers.py windows.npz answers.npz`: contexts in, nine deciles of each window and model out.
"""

import sys
import time
import warnings
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

LEVELS = (80, 60, 40, 20)
"""Widths of the central intervals whose ends are the deciles."""


def main(source: str, target: str) -> int:
    """Answer every window; a model that fails on one gives its last value."""
    models: Any = import_module("statsforecast.models")
    windows = np.load(source)
    answers: dict[str, Any] = {}
    warnings.simplefilter("ignore")
    for name in ("AutoARIMA", "AutoETS", "SeasonalNaive"):
        started = time.process_time()
        for at in range(int(windows["count"])):
            context, horizon, period = (
                windows[f"context_{at}"],
                int(windows[f"horizon_{at}"]),
                max(1, int(windows[f"period_{at}"])),
            )
            season = period if 2 * period <= context.size else 1
            model = getattr(models, name)(season_length=season if name == "SeasonalNaive" else 1)
            try:
                answers[f"{name}_{at}"] = deciles(model.forecast(y=context, h=horizon, level=list(LEVELS)))
            except Exception as error:  # noqa: BLE001  whatever a peer does on one window, the others count
                sys.stderr.write(f"{name}: {type(error).__name__}: {error}\n")
                answers[f"{name}_{at}"] = np.full((horizon, 9), context[-1])
        answers[f"{name}_seconds"] = np.array(time.process_time() - started)
    np.savez(Path(target), **answers)
    return 0


def deciles(said: Any) -> Any:
    """The mean and the ends of the central intervals → `[horizon, 9]`."""
    columns = [said[f"lo-{level}"] for level in LEVELS] + [said["mean"]] + [said[f"hi-{level}"] for level in reversed(LEVELS)]
    return np.sort(np.stack([np.asarray(c, dtype=np.float64) for c in columns], axis=1), axis=1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
