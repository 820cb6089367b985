import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = {"gonogo", "bot", "context_graph", "heuristics", "forecasting"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    into = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", into], cwd=ROOT, check=True, capture_output=True
    )
    return zipfile.ZipFile(next(into.glob("*.whl")))


def test_the_wheel_holds_exactly_the_packages(wheel):
    top = {name.split("/")[0] for name in wheel.namelist() if ".dist-info/" not in name}

    assert top == PACKAGES


def test_the_wheel_holds_every_module_and_nothing_else(wheel):
    shipped = {name for name in wheel.namelist() if ".dist-info/" not in name}
    there = {
        str(p.relative_to(ROOT))
        for package in PACKAGES
        for p in (ROOT / package).rglob("*")
        if p.is_file() and "__pycache__" not in p.parts
    }

    assert shipped == there


def test_the_wheel_starts_the_command_through_the_launcher(wheel):
    name = next(n for n in wheel.namelist() if n.endswith("entry_points.txt"))

    assert wheel.read(name).decode().split() == ["[console_scripts]", "gonogo", "=", "gonogo.launch:main"]


def test_the_license_is_shipped(wheel):
    name = next(n for n in wheel.namelist() if n.endswith("licenses/LICENSE"))

    assert b"Apache License" in wheel.read(name)


def test_every_package_is_typed():
    assert {p.parent.name for p in ROOT.glob("*/py.typed")} >= PACKAGES


def test_packages_of_the_wheel_are_those_of_the_contracts():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())

    assert set(project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]) == PACKAGES
    assert set(project["tool"]["importlinter"]["root_packages"]) == PACKAGES | {"bencher"}
