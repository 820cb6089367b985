"""How good the forecasts are: `make bench`, or `python -m benchmarks.forecasting_bench [--data FOLDER]`.

Protocol: context 1024, horizon 96 (48 where a file is too short for that), up to 6 origins spread over the file, readings of
a joint group together. CRPS and MASE are relative to seasonal naive with empirical quantiles: a ratio a series, the
geometric mean over the series of a file, then over the files with equal weight. The event of the Brier score is that the
maximum over the horizon passes the 99th percentile of the context. Series are kept back elsewhere: nothing is tuned on one.
"""

import argparse
import csv
import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forecasting.backtest import forecast_and_backtest
from forecasting.builtin import Builtin
from forecasting.joint import DECILES, Bounds, Forecaster, ForecastRequest
from forecasting.paths import crossing, sample_paths
from forecasting.quantiles import pinball
from forecasting.seasonal_naive import SeasonalNaive
from scripts.build_demo import EXAMPLE

Floats = NDArray[np.float64]
ROOT = EXAMPLE.parent.parent
DATA = ROOT.parent / "shared" / "data" / "series"
PEERS_PYTHON = ROOT / ".venv-bench" / "bin" / "python"
CONTEXT, ORIGINS = 1024, 6
MOST_CRPS, COVERAGE, MOST_BRIER, MOST_SECONDS = 0.66, (0.75, 0.85), 0.185, 3.0


@dataclass(frozen=True)
class Window:
    """One context of a file, `[series, time]`, and what came, `[series, horizon]`."""

    file: str
    context: Floats
    actual: Floats
    period: int
    step_s: float


def main() -> int:
    """Print the tables; 1 when a goal is missed, 0 also without data, which is said."""
    parser = argparse.ArgumentParser(description="How good the forecasts are.")
    parser.add_argument("--data", type=Path, default=DATA, help="folder with index.csv and the series")
    parser.add_argument(
        "--peers", type=Path, default=Path(os.environ.get("GONOGO_BENCH_PYTHON", PEERS_PYTHON)), help="Python with statsforecast"
    )
    options = parser.parse_args()
    seconds = _seconds()
    print(f"16 × 2016 × 72 with five backtests: {seconds:.2f} s of CPU (goal {MOST_SECONDS} s)")
    if not (options.data / "index.csv").is_file():
        print(f"forecasting: skipped: no data ({options.data} has no index.csv)")
        return 0
    windows = list(windows_of(options.data))
    naive = [_answer(SeasonalNaive(), w) for w in windows]
    started = time.process_time()
    builtin = [_answer(Builtin(), w) for w in windows]
    took = (time.process_time() - started) / sum(len(w.context) for w in windows)
    table = [
        ("builtin", _scores(windows, builtin, naive), took),
        ("seasonal naive, empirical quantiles", _scores(windows, naive, naive), 0.0),
    ]
    table += _peers(windows, naive, options.peers)
    print(f"\n{len(windows)} windows of {len({w.file for w in windows})} files\n{'':36} rel MASE rel CRPS  p10-p90  s/series")
    for name, (mase, crps, coverage, _), per_series in table:
        print(f"{name:36} {mase:8.3f} {crps:8.3f} {coverage:8.3f} {per_series:9.3f}")
    by_file = _scores(windows, builtin, naive)[3]
    print("\nrelative CRPS by file\n" + "\n".join(f"  {file:44} {ratio:.3f}" for file, ratio in by_file.items()))
    brier, climatology = _crossings(windows)
    _, (_, crps, coverage, _), _ = table[0]
    missed = [
        said
        for is_met, said in (
            (crps <= MOST_CRPS, f"relative CRPS {crps:.3f}, goal {MOST_CRPS}"),
            (COVERAGE[0] <= coverage <= COVERAGE[1], f"coverage {coverage:.3f}, goal 0.75 to 0.85"),
            (brier <= MOST_BRIER, f"crossing Brier {brier:.3f}, goal {MOST_BRIER} (climatology {climatology:.3f})"),
            (seconds <= MOST_SECONDS, f"{seconds:.2f} s, goal {MOST_SECONDS} s"),
        )
        if not is_met
    ]
    print("\nmissed: " + "; ".join(missed) if missed else "\nall goals met")
    return 1 if missed else 0


def windows_of(folder: Path) -> Iterator[Window]:
    """Every window of every file that the index names."""
    with (folder / "index.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        values = np.genfromtxt(folder / row["file"], delimiter=",", skip_header=1)[:, 1:].T
        length, context, horizon = values.shape[1], CONTEXT, 96
        if length < CONTEXT + 96:
            horizon = 48
            context = min(CONTEXT, max(length - 3 * horizon, length // 2))
        count = min(ORIGINS, (length - context - horizon) // horizon + 1)
        ends = (
            [length - horizon]
            if count == 1
            else [round(context + (length - horizon - context) * i / (count - 1)) for i in range(count)]
        )
        for end in ends:
            known = np.isfinite(values[:, end - context : end]).sum(axis=1) >= 8
            if known.any():
                yield Window(
                    row["file"],
                    values[known, end - context : end],
                    values[known, end : end + horizon],
                    int(row["period"]),
                    float(row["step_s"]),
                )


def _request(window: Window) -> ForecastRequest:
    return ForecastRequest(
        ids=tuple(str(i) for i in range(len(window.context))),
        values=window.context,
        step_s=window.step_s,
        start=datetime(2026, 1, 1, tzinfo=UTC),
        horizon=window.actual.shape[1],
        bounds=tuple(Bounds(low=0.0) if np.nanmin(row) >= 0 else Bounds() for row in window.context),
        period=window.period if window.period > 1 else None,
    )


def _answer(forecaster: Forecaster, window: Window) -> Floats:
    """`[series, horizon, decile]`."""
    return forecaster.forecast(_request(window)).quantiles


def _scores(
    windows: Sequence[Window], said: Sequence[Floats], naive: Sequence[Floats]
) -> tuple[float, float, float, dict[str, float]]:
    """Relative MASE and CRPS, coverage, and relative CRPS by file."""
    sums: dict[tuple[str, int], Floats] = defaultdict(lambda: np.zeros(6))
    for window, answer, baseline in zip(windows, said, naive, strict=True):
        for row, actual in enumerate(window.actual):
            known = np.isfinite(actual) & np.isfinite(answer[row]).all(axis=1)
            came, band, base = actual[known], answer[row][known], baseline[row][known]
            nearly = 1e-9 * np.abs(came)
            sums[window.file, row] += (
                pinball(band, came, DECILES).sum(), pinball(base, came, DECILES).sum(), np.abs(came - band[:, 4]).sum(), np.abs(came - base[:, 4]).sum(),
                ((came >= band[:, 0] - nearly) & (came <= band[:, 8] + nearly)).sum(), known.sum(),
            )  # fmt: skip
    files: dict[str, list[tuple[float, float, float]]] = defaultdict(list)
    for (file, _), (crps, crps_naive, error, error_naive, held, count) in sums.items():
        if count and crps_naive > 1e-9 * count:  # a series that even the baseline foresees without an error has no ratio
            files[file].append((_log_ratio(error, error_naive), _log_ratio(crps, crps_naive), held / count))
    means = {file: np.mean(np.array(rows), axis=0) for file, rows in files.items()}
    mase, crps, coverage = np.mean(np.stack(list(means.values())), axis=0)
    return float(np.exp(mase)), float(np.exp(crps)), float(coverage), {file: float(np.exp(m[1])) for file, m in means.items()}


def _log_ratio(one: float, other: float) -> float:
    """Held between a tenth and ten times, so that one series of constants does not decide a file."""
    return float(np.clip(np.log(max(one, 1e-300) / max(other, 1e-300)), np.log(0.1), np.log(10)))


def _peers(windows: Sequence[Window], naive: Sequence[Floats], python: Path) -> list[tuple[str, Any, float]]:
    """The scores of statsforecast's models in the same windows; a line says so when they are not installed."""
    if (
        not python.is_file()
        or subprocess.run([python, "-c", "import statsforecast"], capture_output=True, check=False).returncode
    ):
        print(f"statsforecast: skipped: not installed ({python})")
        return []
    with tempfile.TemporaryDirectory(prefix="gonogo-bench-") as folder:
        source, target = Path(folder) / "windows.npz", Path(folder) / "answers.npz"
        rows = [(w, row) for w in windows for row in range(len(w.context))]
        contexts = {f"context_{i}": _without_gaps(w.context[row]) for i, (w, row) in enumerate(rows)}
        shapes = {
            f"{k}_{i}": np.array(v)
            for i, (w, _) in enumerate(rows)
            for k, v in (("horizon", w.actual.shape[1]), ("period", w.period))
        }
        arrays: dict[str, Any] = {"count": np.array(len(rows)), **contexts, **shapes}
        np.savez(source, **arrays)
        subprocess.run(
            [python, Path(__file__).with_name("forecasting_peers.py"), source, target], check=True, stderr=subprocess.DEVNULL
        )
        found = np.load(target)
        table: list[tuple[str, Any, float]] = []
        for name in ("AutoARIMA", "AutoETS", "SeasonalNaive"):
            said = [np.empty((*w.actual.shape, 9)) for w in windows]
            at = {id(w): i for i, w in enumerate(windows)}
            for i, (w, row) in enumerate(rows):
                low = 0.0 if np.nanmin(w.context[row]) >= 0 else -np.inf
                said[at[id(w)]][row] = np.maximum(np.nan_to_num(found[f"{name}_{i}"], nan=0.0, posinf=1e300, neginf=-1e300), low)
            table.append((f"statsforecast {name}", _scores(windows, said, naive), float(found[f"{name}_seconds"]) / len(rows)))
    return table


def _without_gaps(values: Floats) -> Floats:
    known = np.isfinite(values)
    return np.interp(np.arange(values.size), np.flatnonzero(known), values[known])


def _crossings(windows: Sequence[Window]) -> tuple[float, float]:
    """Prints the reliability of crossing probabilities; returns their Brier score and that of climatology."""
    probabilities: list[float] = []
    usual: list[float] = []
    events: list[float] = []
    for window in windows:
        request = _request(window)
        paths = sample_paths(request, Builtin().forecast(request))
        horizon = window.actual.shape[1]
        for row, (context, actual) in enumerate(zip(window.context, window.actual, strict=True)):
            if np.isfinite(context).sum() < 64 or not np.isfinite(actual).any() or not np.isfinite(paths[:, row]).all():
                continue
            limit = float(np.nanquantile(context, 0.99))
            limit += 1e-9 * (abs(limit) + float(np.nanstd(context)))
            blocks = [context[s : s + horizon] for s in range(0, context.size - horizon + 1, horizon // 4)]
            past = [np.nanmax(b) > limit for b in blocks if np.isfinite(b).any()]
            probabilities.append(crossing(paths[:, row], limit, step_s=window.step_s).probability)
            usual.append(float(np.mean(past)))
            events.append(float(np.nanmax(actual) > limit))
    forecast, came = np.array(probabilities), np.array(events)
    brier, climatology = float(((forecast - came) ** 2).mean()), float(((np.array(usual) - came) ** 2).mean())
    print(
        f"\ncrossing of the 99th percentile: Brier {brier:.3f}, climatology {climatology:.3f}, {len(came)} windows, {came.mean():.0%} crossed"
    )
    print("reliability    said  came  windows")
    for low, high in ((0, 0.1), (0.1, 0.25), (0.25, 0.5), (0.5, 0.75), (0.75, 0.9), (0.9, 1.01)):
        part = (forecast >= low) & (forecast < high)
        if part.any():
            print(f"  {low:4.0%} to {min(high, 1):4.0%} {forecast[part].mean():5.2f} {came[part].mean():5.2f} {part.sum():8}")
    return brier, climatology


def _seconds() -> float:
    """CPU seconds of 16 series × 2016 readings × 72 steps ahead with five backtests."""
    draw = np.random.default_rng(7)
    day = np.sin(np.arange(2016) / 288 * 2 * np.pi)
    values = np.stack([20 + 8 * day + draw.normal(size=2016).cumsum() * 0.1 + draw.normal(size=2016) for _ in range(16)])
    request = ForecastRequest(
        ids=tuple(map(str, range(16))), values=values, step_s=300, start=datetime(2026, 1, 1, tzinfo=UTC), horizon=72, period=288
    )
    started = time.process_time()
    forecast_and_backtest(Builtin(), request)
    return time.process_time() - started


if __name__ == "__main__":
    sys.exit(main())
