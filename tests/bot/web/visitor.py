"""A person with a browser, signed in to the dashboard; and a few weeks for them to look at."""

from collections.abc import Generator

import pytest
from starlette.responses import Response
from starlette.testclient import TestClient

from bot.entrypoints.web.dashboard.app import dashboard_app
from bot.entrypoints.web.dashboard.session import Sessions, Viewer
from bot.storage.database import open_database
from tests.bot.web.conftest import settings_for
from tests.bot.web.html import Page
from tests.bot.web.stories import Answers, Clock, a_few_weeks

PAGES = ("/", "/prevented", "/calibration", "/overrides", "/spending", "/benchmarks")


class Visitor:
    """A person with a browser."""

    def __init__(self, engine, tmp_path, login="ana", may=None) -> None:
        settings = settings_for(tmp_path, github_client_id="Iv1", github_client_secret="x", url="http://testserver")
        self.clock = Clock()
        self.github = Answers({login: {"spokeway/rides", "spokeway/fleet"}} if may is None else may)
        self.app = dashboard_app(settings, engine=engine, github=self.github, clock=self.clock)  # type: ignore[arg-type]
        self.client = TestClient(self.app, follow_redirects=False)
        self.sessions = Sessions(settings.session_key, is_https=False)
        self.viewer = Viewer.of(number=1, login=login)
        self.sign_in(self.viewer)

    def sign_in(self, viewer: Viewer) -> None:
        self.client.cookies.set(*self.cookie_of(viewer))

    def cookie_of(self, viewer: Viewer) -> tuple[str, str]:
        """Name and value of a session."""
        answer = Response()
        self.sessions.open(answer, viewer)
        cookie = next(value for name, value in answer.raw_headers if name == b"set-cookie" and b"Max-Age=0" not in value)
        name, _, value = cookie.decode().partition(";")[0].partition("=")
        return name, value

    def get(self, path, **query):
        return self.client.get(path, params=query)

    def page(self, path, **query) -> Page:
        answer = self.get(path, **query)
        assert answer.status_code == 200, answer.text
        return Page(answer.text)


@pytest.fixture(scope="module")
def weeks(tmp_path_factory) -> Generator[tuple]:
    """A store that is only looked at."""
    folder = tmp_path_factory.mktemp("weeks")
    engine = open_database(settings_for(folder).database_url.get_secret_value())
    yield engine, folder, a_few_weeks(engine)
    engine.dispose()
