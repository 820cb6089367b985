import csv
import json
import math
import random
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest

from bot.entrypoints.cli.app import main

QUEUE = "arn:aws:sqs:eu-west-1:1:orders"
METRICS = {"ApproximateNumberOfMessagesVisible": 40.0, "NumberOfMessagesSent": 3000.0, "NumberOfMessagesDeleted": 3100.0}


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory):
    folder = tmp_path_factory.mktemp("production")
    draw = random.Random(1)
    start = datetime(2026, 5, 4, tzinfo=UTC)
    with (folder / "metrics.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["timestamp", "resource", "metric", "unit", "value"])
        for metric, level in METRICS.items():
            for at in range(5 * 96):
                value = level * (1 + 0.3 * math.sin(at / 96 * 2 * math.pi)) + draw.gauss(0, level * 0.05)
                rows.writerow(
                    [f"{start + timedelta(minutes=15 * at):%Y-%m-%dT%H:%M:%SZ}", QUEUE, metric, "Count", f"{value:.4g}"]
                )
    (folder / "resources.jsonl").write_text(
        json.dumps({"id": QUEUE, "kind": "aws.sqs.queue", "name": "orders"}) + "\n", encoding="utf-8"
    )
    return folder


def forecast(snapshot, *more, metric="ApproximateNumberOfMessagesVisible"):
    return main(["forecast", "--production", str(snapshot), "--resource", "orders", "--metric", metric, *more])


def test_the_sentence_has_number_horizon_what_if_and_backtest(snapshot, capsys):
    status = forecast(snapshot, "--horizon", "6h", "--what-if", "traffic=1.5", "--limit", "10000")

    first, *rest = capsys.readouterr().out.splitlines()
    assert status == 0
    assert first.startswith("P(ApproximateNumberOfMessagesVisible of orders > 10,000 within 6 h) = 8 % now, 9")
    assert "% with traffic × 1.5" in first
    assert "backtest: " in first
    assert any("service rate" in line and "p95 of NumberOfMessagesDeleted" in line for line in rest)


def test_the_picture_is_written(snapshot, tmp_path, capsys):
    status = forecast(snapshot, "--plot", str(tmp_path / "orders.svg"), "--limit", "70")

    assert status == 0
    assert (tmp_path / "orders.svg").read_text(encoding="utf-8").startswith("<svg")
    assert "━" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--horizon", "soon"], "--horizon soon: write a span"),
        (["--what-if", "trafic=2"], "'trafic=2' is no what-if"),
        (["--plot", "a.gif"], "must end in .svg or .png"),
        (["--plot", "no/such/folder/a.svg"], "does not exist"),
        (["--what-if", "timeout=2"], "two percentiles of the latency"),
    ],
)
def test_a_wrong_call_is_one_line_and_exit_status_2(snapshot, capsys, more, said):
    assert forecast(snapshot, *more) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "said", "status"),
    [
        (["--production", "none", "--resource", "orders", "--metric", "x"], "has no readings", 2),
        (["--resource", "orders"], "needs --production, --metric", 2),
        (["--production", "live", "--resource", "orders", "--metric", "x"], "gonogo: context: ", 3),
    ],
)
def test_what_is_missing_is_named(capsys, monkeypatch, tmp_path, arguments, said, status):
    monkeypatch.setenv("GONOGO_DATA_DIR", str(tmp_path))

    assert main(["forecast", *arguments]) == status
    assert said in capsys.readouterr().err


def test_an_unknown_metric_names_those_that_there_are(snapshot, capsys):
    assert forecast(snapshot, metric="Nope") == 2
    assert "it has ApproximateNumberOfMessagesVisible, NumberOfMessagesDeleted, NumberOfMessagesSent" in capsys.readouterr().err


def test_help_loads_no_numpy():
    run = "import sys\nfrom bot.entrypoints.cli.app import main\nmain(['forecast', '--help'])\nprint('numpy' in sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-I", "-c", run], capture_output=True, text=True, check=True)

    assert done.stderr.strip() == "False"
