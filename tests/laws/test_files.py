"""Laws of the tree: what may stand where, and how large a file may grow."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OURS = ("gonogo", "bot", "context_graph", "heuristics", "forecasting", "scripts", "tests", "benchmarks")

LONG_FILES: dict[str, str] = {}
"""Files over 400 lines, each with why it is one thing."""


def files(*suffixes: str):
    """Files of the project itself: not those of the labelled pull requests, nor of what git ignores."""
    listed = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True,
        text=True,
        check=False,
    ).stdout.split("\0")
    kept = [n for n in listed if n and not n.startswith(("benchmarks/suites/", "examples/")) and (ROOT / n).is_file()]
    return [n for n in kept if not suffixes or n.endswith(suffixes)]


def python_files():
    return [n for n in files(".py") if n.startswith(OURS)]


def test_tests_are_no_package():
    assert [n for n in files("__init__.py") if n.startswith("tests/")] == []


def test_no_file_is_over_400_lines_without_a_reason():
    long = {n for n in python_files() if len((ROOT / n).read_text().splitlines()) > 400}

    assert long == set(LONG_FILES)


def test_every_module_says_what_it_is_for():
    silent = [n for n in python_files() if not n.startswith("tests/") and not (ROOT / n).read_text().startswith(('"""', "#!"))]

    assert silent == []


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-base.lock", "requirements-server.lock"])
def test_a_lock_names_no_host_and_no_path_and_pins_with_hashes(name):
    lines = (ROOT / name).read_text().splitlines()
    pinned = [line for line in lines if re.match(r"[a-z0-9]", line)]

    assert [line for line in lines if "://" in line or line.startswith(("-", "/")) or " @ " in line] == []
    assert all(re.match(r"[a-z0-9._-]+==\S+ ", line) for line in pinned)
    assert "\n".join(lines).count("--hash=sha256:") >= len(pinned)


def test_what_gonogo_needs_is_pinned_the_same_in_both_locks():
    def pins(name):
        return set(re.findall(r"^[a-z0-9._-]+==[^ ;\\]+", (ROOT / name).read_text(), re.MULTILINE))

    assert pins("requirements-base.lock") < pins("requirements-server.lock") < pins("requirements.lock")


def test_nothing_in_the_tree_names_a_package_host_or_a_path_of_a_machine():
    hosts = re.compile(r"(pypi\.org|files\.pythonhosted|registry\.npmjs|index-url|find-links)\b")
    machine = re.compile(r"(?<![A-Za-z.\w])/(work|root|farm)/[a-z.]")
    here = "tests/laws/test_files.py"
    found = []
    for name in files(".py", ".md", ".toml", ".lock", ".txt", ".yml", ".yaml", ".sh", "Makefile", "Dockerfile", ".ci/run"):
        text = (ROOT / name).read_text(errors="replace").replace("--no-emit-index-url", "").replace("--no-emit-find-links", "")
        if name != here and (hosts.search(text) or machine.search(text)):
            found.append(name)

    assert found == []


def test_links_between_pages_lead_somewhere():
    links = ((n, target) for n in files(".md") for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", (ROOT / n).read_text()))

    assert [f"{n}: {t}" for n, t in links if "://" not in t and not (ROOT / n).parent.joinpath(t).exists()] == []
