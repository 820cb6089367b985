"""What holds for every test: with CI=true nothing may be skipped."""

import os

import pytest


def pytest_sessionfinish(session: pytest.Session) -> None:
    if os.environ.get("CI") != "true" or hasattr(session.config, "workerinput"):
        return
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter else []
    if skipped:
        reporter.write_line(f"CI=true and {len(skipped)} tests were skipped: install what they wait for", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
