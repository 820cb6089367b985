"""What a diff of GitHub's would not show or would show wrongly is read from git all the same, to the end."""

import json
import re

from tests.app.watching import evaluations, rows, verdicts
from tests.github.bare import Executable, Submodule, Symlink
from tests.github.story import BASE, SAFE, UNSAFE

POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"
ODD = {
    "docs/with space.md": "a\n",
    "docs/ünïcode 文件.md": "a\n",
    'docs/quote".md': "a\n",
    "docs/a b/ b/c.md": "a\n",
    "docs/tab\there.md": "a\n",
    "assets/logo.png": b"\x89PNG\r\n\x1a\n\x00\x00",
    "assets/big.bin": POINTER,
    "vendor/lib": Submodule("1" * 40),
    "link": Symlink("docs/with space.md"),
    "run.sh": Executable("#!/bin/sh\nexit 0\n"),
}


def report_of(story, pull):
    """The report that was kept of its newest evaluation."""
    newest = evaluations(story, pull)[-1]
    (kept,) = rows(story, "SELECT report FROM evaluation_document WHERE evaluation_id = ?", newest["id"])
    return json.loads(kept["report"])


def test_the_last_of_3001_files_is_read_too(story):
    pull = story.open({f"data/{n:04}.csv": f"{n}\n" for n in range(3_001 - len(UNSAFE))} | UNSAFE)

    check = story.wait_for_verdict(pull, comment=True)

    assert check.conclusion == "failure"
    assert "read 3,001/3,001 files" in story.comment(pull).body


def test_binaries_submodules_links_and_odd_names_are_counted_and_hide_nothing(story):
    pull = story.open(ODD | UNSAFE)

    check = story.wait_for_verdict(pull, comment=True)

    assert check.conclusion == "failure"
    body = story.comment(pull).body
    assert re.search(r"read \d+/\d+ files", body)
    assert "1 binary" in body
    assert "1 submodule" in body


def test_a_file_that_is_only_renamed_is_no_danger_of_its_own(story):
    path = next(name for name in BASE if name.endswith(".py"))
    pull = story.open({path: None, f"moved/{path}": BASE[path]})

    story.wait_for_verdict(pull)

    report = report_of(story, pull)
    assert report["verdict"] == "go"
    assert [t for t in report["trajectories"] if t["status"] == "confirmed"] == []


def test_a_pull_request_on_another_ones_branch_is_judged_by_what_it_adds(story):
    below = story.open(UNSAFE, branch="below")
    assert story.wait_for_verdict(below).conclusion == "failure"

    above = story.open({"docs/more.md": "words\n"}, base="below")

    assert story.wait_for_verdict(above).conclusion == "success"
    assert verdicts(story, above) == [(above.head_sha, "nothing")]

    story.push(below, SAFE)
    assert story.wait_for_verdict(below).conclusion == "success"
