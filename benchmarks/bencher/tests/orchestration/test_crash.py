"""Point 4: SIGKILL at any moment. Nothing that agent() returned is paid again, nothing is lost or swapped, the third run pays nothing."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

CRASHES = Path(__file__).with_name("crashes.py")


def crashes(way, count, seed):
    done = subprocess.run([sys.executable, CRASHES, way, str(count), str(seed)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.long)])
def test_100_kills_from_outside_at_random_moments(seed):
    told = crashes("outside", 100, seed)

    assert told["violations"] == []
    assert told["killed"] == 100
    assert told["returned"] > 300  # the kills fell into the work, not before it
    assert told["repaid"] <= 5 * told["killed"]


@pytest.mark.parametrize("share", [2, pytest.param(12, marks=pytest.mark.long)])  # both halves
def test_a_kill_at_every_line_of_the_module(share):
    told = crashes("lines", share, 3)

    assert told["violations"] == []
    assert told["killed"] > 250
    assert told["killed"] >= 0.9 * told["trials"]  # the others did not reach their line that often


def test_kills_inside_the_writing_of_large_answers():
    told = crashes("large", 8, 4)

    assert told["violations"] == []
