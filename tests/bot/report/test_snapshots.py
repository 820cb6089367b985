"""The reports of the bundled example, word for word: expected/*.txt is the terminal, *.md markdown, *.comment.md and *.check.md GitHub."""

import itertools
import os
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.build_demo import build_example
from scripts.published_snapshots import FORMS, PUBLISHED, published_of
from scripts.report_snapshots import CALLS, EXPECTED, ROOT, SUFFIXES, report_of


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_example(tmp_path_factory.mktemp("example") / "rides")


@pytest.mark.parametrize(("name", "form"), list(itertools.product(CALLS, SUFFIXES)))
def test_a_reader_sees_what_was_agreed_on(repository, name, form):
    expected = (EXPECTED / f"{name}{SUFFIXES[form]}").read_text(encoding="utf-8")

    assert report_of(name, form, repository=repository) == expected, "if this reads better: make snap, and look at the difference"


@pytest.mark.parametrize(("name", "form"), list(itertools.product(PUBLISHED, FORMS)))
def test_github_is_given_what_was_agreed_on(repository, name, form):
    expected = (EXPECTED / f"{name}{FORMS[form]}").read_text(encoding="utf-8")

    assert published_of(name, form, repository=repository) == expected, (
        "if this reads better: make snap, and look at the difference"
    )


def test_every_expected_report_is_compared():
    of_calls = {f"{name}{suffix}" for name in CALLS for suffix in SUFFIXES.values()}
    of_github = {f"{name}{suffix}" for name in PUBLISHED for suffix in FORMS.values()}
    assert {p.name for p in EXPECTED.iterdir()} == of_calls | of_github


def test_ci_never_writes_an_expected_report():
    before = {p: p.stat().st_mtime_ns for p in EXPECTED.iterdir()}

    env = os.environ | {"CI": "true"}
    done = subprocess.run(
        [sys.executable, "-m", "scripts.report_snapshots"], cwd=ROOT, env=env, check=False, capture_output=True, text=True
    )

    assert done.returncode == 2
    assert "make snap" in done.stderr
    assert {p: p.stat().st_mtime_ns for p in EXPECTED.iterdir()} == before
