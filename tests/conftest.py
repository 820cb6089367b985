"""What holds for every test: with CI=true nothing may be skipped; no test reads or writes the user's own data."""

import os

import pytest

_SETTINGS = ("GONOGO_DATABASE_URL", "GONOGO_DATABASES", "GONOGO_PROMETHEUS_URL", "GONOGO_LOKI_URL", "GONOGO_LOG_FILES")


@pytest.fixture(autouse=True)
def _no_data_of_the_user(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever runs the tests may have a graph and recorded evaluations of their own."""
    monkeypatch.setenv("GONOGO_DATA_DIR", str(tmp_path_factory.getbasetemp() / "data"))
    monkeypatch.setenv(
        "XDG_STATE_HOME", str(tmp_path_factory.getbasetemp() / "state")
    )  # for processes that start without the former
    for name in _SETTINGS:
        monkeypatch.delenv(name, raising=False)


LONG = frozenset(("test_app_histories.py", "test_app_kills.py", "test_app_processes.py", "test_histories.py"))
"""Files of random histories and of kills."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whole processes and random histories are `long`: `make test-long` runs them. Stories marked `core` are in `make test` too."""
    for item in items:
        is_story = bool({"story", "start_story"} & set(getattr(item, "fixturenames", ()))) and not item.get_closest_marker("core")
        if is_story or item.path.name in LONG:
            item.add_marker("long")


def pytest_configure() -> None:
    os.environ.pop("ANTHROPIC_API_KEY", None)  # a developer's key would let `gonogo check` ask a model


def pytest_sessionfinish(session: pytest.Session) -> None:
    if os.environ.get("CI") != "true" or hasattr(session.config, "workerinput"):
        return
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter else []
    if skipped:
        reporter.write_line(f"CI=true and {len(skipped)} tests were skipped: install what they wait for", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
