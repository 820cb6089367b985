import csv
import json
import math
import random
import re
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
    assert first.startswith("P(ApproximateNumberOfMessagesVisible of orders > 10,000 within 6 h) = at most 8 % now, 9")
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
        (["--limit", "inf"], "--limit inf: write a finite number"),
        (["--limit", "-inf"], "--limit -inf: write a finite number"),
        (["--limit", "1.7e308"], "at most 1e+300"),
        (["--limit", "nan"], "--limit nan: write a finite number"),
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
        ([], "needs --production, --resource, --metric", 2),
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


@pytest.mark.parametrize("limit", ["1e300", "-1e300", "1e-300"])
def test_an_absurd_limit_is_said_in_few_characters(snapshot, tmp_path, capsys, limit):
    assert forecast(snapshot, f"--limit={limit}", "--plot", str(tmp_path / "a.svg")) == 0

    assert re.search(r"[\d,]{30}", capsys.readouterr().out) is None
    assert "0" * 30 not in (tmp_path / "a.svg").read_text(encoding="utf-8")


def test_a_limit_that_is_passed_already_has_no_probability(snapshot, capsys):
    assert forecast(snapshot, "--limit", "1") == 0

    first = capsys.readouterr().out.splitlines()[0]
    assert "ApproximateNumberOfMessagesVisible of orders is already past its limit of 1 (the last reading is " in first
    assert "P(" not in first


@pytest.mark.parametrize("arguments", [["--help"], ["forecast", "--help"]])
def test_help_has_an_example(capsys, arguments):
    assert main(arguments) == 0
    assert "Example: gonogo " in capsys.readouterr().out


@pytest.fixture(scope="module")
def odd_snapshot(tmp_path_factory):
    folder = tmp_path_factory.mktemp("odd")
    start = datetime(2026, 5, 4, tzinfo=UTC)
    values = {
        "nan": lambda _: "nan",
        "unread": lambda _: "abc",
        "empty": lambda _: "",
        "flat": lambda _: "5",
        "holes": lambda at: "inf" if at in (100, 200) else "NaN" if at == 300 else f"{50 + 9 * math.sin(at / 48 * math.pi):.6g}",
        "requests_total": lambda at: str(100 * (at % 400)),
        "high": lambda at: f"{1e12 + 10 * math.sin(at / 48 * math.pi) + random.Random(at).gauss(0, 1):.3f}",
    }
    with (folder / "metrics.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["timestamp", "resource", "metric", "unit", "value"])
        rows.writerows(
            [f"{start + timedelta(minutes=15 * at):%Y-%m-%dT%H:%M:%SZ}", QUEUE, metric, "Count", value_at(at)]
            for metric, value_at in values.items()
            for at in range(5 * 96)
        )
    (folder / "resources.jsonl").write_text(
        json.dumps({"id": QUEUE, "kind": "aws.sqs.queue", "name": "orders"}) + "\n", encoding="utf-8"
    )
    return folder


@pytest.mark.parametrize("metric", ["nan", "unread", "empty"])
def test_a_metric_without_any_reading_is_refused_by_name(odd_snapshot, capsys, metric):
    assert forecast(odd_snapshot, metric=metric) == 2
    assert f"every reading of `{metric}` of {QUEUE} is missing" in capsys.readouterr().err


def test_readings_that_are_no_numbers_are_counted(odd_snapshot, capsys):
    assert forecast(odd_snapshot, metric="holes") == 0
    assert f"3 readings of holes of {QUEUE} are NaN or infinite; counted as missing" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("metric", "named"),
    [("flat", "constant: every reading is 5"), ("requests_total", "counter: turned into a rate a second, 1 reset ")],
)
@pytest.mark.parametrize("more", [[], ["--limit", "9000"]])
def test_the_sentence_names_a_constant_and_a_counter(odd_snapshot, capsys, metric, named, more):
    assert forecast(odd_snapshot, *more, metric=metric) == 0
    assert named in capsys.readouterr().out.splitlines()[0]


def test_a_small_swing_at_a_huge_level_is_foreseen_and_crosses_a_limit_inside_it(odd_snapshot, capsys):
    assert forecast(odd_snapshot, "--horizon", "24h", "--limit", "1000000000006", metric="high") == 0

    first = capsys.readouterr().out.splitlines()[0]
    assert first.startswith("P(high of orders > 1,000,000,000,006 within 24 h) = at least 92 % now")


def test_help_loads_no_numpy():
    run = "import sys\nfrom bot.entrypoints.cli.app import main\nmain(['forecast', '--help'])\nprint('numpy' in sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-I", "-c", run], capture_output=True, text=True, check=True)

    assert done.stderr.strip() == "False"
