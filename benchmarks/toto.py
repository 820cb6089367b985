"""Seconds and memory of Toto with random weights of the 22m shape: torch and numpy side by side (`python -m benchmarks.toto`).

Released weights cost the same: the arithmetic does not depend on the numbers. Every runtime runs in fresh processes of its own; torch
only where `scripts/setup_toto.sh` made .venv-toto.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from forecasting.testing_toto import SHAPE_22M, write_random_model
from forecasting.threads import capped, usable_threads

ROOT = Path(__file__).resolve().parent.parent
TORCH = ROOT / ".venv-toto" / "bin" / "python"
SERIES, STEPS, HORIZON = (1, 4, 16), 2048, 336

_MEASURED = """
import time; began = time.perf_counter()
import json, resource, sys
from datetime import UTC, datetime
from pathlib import Path
import numpy as np
from forecasting.joint import ForecastRequest
from forecasting.toto_settings import TotoSettings, open_toto
folder, runtime, series, steps, horizon, runs = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:])
toto = open_toto(TotoSettings(folder=Path(folder), runtime=runtime))
loaded = time.perf_counter()
values = np.random.default_rng(0).normal(0, 1, (series, steps)).cumsum(axis=1)
request = ForecastRequest(tuple(map(str, range(series))), values, 300.0, datetime(2026, 11, 1, tzinfo=UTC), horizon)
def timed():
    wall, cpu = time.perf_counter(), time.process_time()
    toto.forecast(request)
    return time.perf_counter() - wall, time.process_time() - cpu
first = timed()[0]
warm = sorted(timed() for _ in range(runs))
print(json.dumps({
    "load": loaded - began, "first": first, "warm": warm[len(warm) // 2][0], "cpu": sorted(cpu for _, cpu in warm)[len(warm) // 2],
    "mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, "version": toto.version,
}))
"""


def main() -> int:
    """Print the table; 1 when a run failed."""
    parser = argparse.ArgumentParser(description="Seconds and memory of Toto with random weights of the 22m shape.")
    parser.add_argument("--runs", type=int, default=5, help="warm forecasts of each size")
    parser.add_argument("--json", type=Path, help="write the rows there")
    options = parser.parse_args()
    runtimes = {"numpy": Path(sys.executable)} | ({"torch": TORCH} if TORCH.is_file() else {})
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory(prefix="gonogo-toto-") as name:
        folder = write_random_model(Path(name), SHAPE_22M)
        for runtime, python in runtimes.items():
            rows.extend(_measured(python, folder, runtime, series, options.runs) for series in SERIES)
    print(f"toto, random weights of the 22m shape, {STEPS} steps, horizon {HORIZON}, {usable_threads()} threads")
    print(f"{'runtime':8}{'series':>8}{'start, s':>10}{'first, s':>10}{'warm, s':>10}{'warm CPU':>10}{'peak MiB':>10}")
    for row in rows:
        print(
            f"{row['runtime']:8}{row['series']:8}{row['load']:10.2f}{row['first']:10.2f}{row['warm']:10.3f}{row['cpu']:10.2f}{row['mib']:10.0f}"
        )
    if "torch" not in runtimes:
        print("torch: skipped, there is no .venv-toto (scripts/setup_toto.sh makes it)")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return 0


def _measured(python: Path, folder: Path, runtime: str, series: int, runs: int) -> dict[str, Any]:
    sizes = [str(number) for number in (series, STEPS, HORIZON, runs)]
    done = subprocess.run(
        [python, "-I", "-W", "ignore", "-c", _MEASURED, folder, runtime, *sizes],
        capture_output=True,
        text=True,
        check=True,
        env=capped(),
    )
    measured: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return {"runtime": runtime, "series": series} | measured


if __name__ == "__main__":
    sys.exit(main())
