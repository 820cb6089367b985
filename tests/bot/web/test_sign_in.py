"""Signing in through GitHub, on the loopback GitHub, with a browser that keeps cookies as a browser does."""

from collections.abc import Generator
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx
import pytest
from starlette.testclient import TestClient

from bot.entrypoints.web.app import web_app
from bot.entrypoints.web.dashboard.session import Sessions, Viewer
from bot.entrypoints.web.deliveries import open_redis
from tests.bot.web.conftest import settings_for
from tests.bot.web.html import Page, faults_of
from tests.bot.web.stories import Story
from tests.github.fixtures import github
from tests.github.server import FakeGitHub

__all__ = ["github"]

URL = "http://testserver"
BACK = f"{URL}/sign-in/callback"


class Browser:
    """One person's browser: our pages, and GitHub's."""

    def __init__(self, ours: TestClient, github: FakeGitHub) -> None:
        self.ours, self.github = ours, github

    def begin(self, page: str = "/") -> str:
        """The address at GitHub that it is sent to."""
        answer = self.ours.get("/sign-in", params={"next": page})
        assert answer.status_code == 303
        return answer.headers["location"]

    def agree(self, address: str, *, who: str | None = "rita") -> str:
        """The address of ours that GitHub sends it back to."""
        self.github.desk.who = who
        with httpx.Client(trust_env=False) as browser:
            return browser.get(address).headers["location"]

    def sign_in(self, page: str = "/", *, who: str = "rita") -> httpx.Response:
        return self.ours.get(self.agree(self.begin(page), who=who))


@pytest.fixture
def app(github):
    return github.apps.register(callback_urls=[BACK])


@pytest.fixture
def settings(github, app, tmp_path):
    return settings_for(
        tmp_path,
        url=URL,
        github_app_id=app.id,
        github_private_key=app.private_key if isinstance(app.private_key, str) else app.private_key.decode(),
        github_client_id=app.client_id,
        github_client_secret=app.client_secret,
        github_api_url=github.api_url,
        github_url=github.web_url,
    )


@pytest.fixture
def browser(settings, github, engine) -> Generator[Browser]:
    with TestClient(web_app(settings, engine=engine, redis=open_redis("unix:///nowhere")), follow_redirects=False) as ours:
        yield Browser(ours, github)


def test_the_first_page_invites_and_every_other_one_sends_to_sign_in(browser):
    first = browser.ours.get("/")
    page = browser.ours.get("/evaluations/abc?x=1")

    assert first.status_code == 200
    assert faults_of(first.text) == []
    assert "Sign in with GitHub" in Page(first.text).text
    assert (page.status_code, page.headers["location"]) == (303, "/sign-in?next=%2Fevaluations%2Fabc%3Fx%3D1")


def test_signing_in_leads_back_to_the_page_that_was_asked_for(browser):
    answer = browser.sign_in("/spending?days=30")

    assert (answer.status_code, answer.headers["location"]) == (303, "/spending?days=30")
    assert "rita" in Page(browser.ours.get("/spending").text).text


def test_github_is_asked_with_a_state_and_a_challenge_that_are_new_each_time(browser):
    told = [parse_qs(urlsplit(browser.begin()).query) for _ in range(2)]

    for one in told:
        assert one["redirect_uri"] == [BACK]
        assert one["code_challenge_method"] == ["S256"]
    assert told[0]["state"] != told[1]["state"]
    assert told[0]["code_challenge"] != told[1]["code_challenge"]


@pytest.mark.parametrize(
    "page", ["https://evil.example/", "//evil.example/", "/\\evil.example", "evil", "", "/\r\nSet-Cookie: a=b"]
)
def test_a_sign_in_leads_to_no_other_site(browser, page):
    assert browser.sign_in(page).headers["location"] == "/"


def test_a_sign_in_that_another_browser_began_is_refused(browser, settings, github, engine):
    back = browser.agree(browser.begin(), who="eve")
    with TestClient(web_app(settings, engine=engine, redis=open_redis("unix:///nowhere")), follow_redirects=False) as victim:
        answer = victim.get(back)

        assert answer.status_code == 400
        assert "gonogo" not in victim.cookies
        assert victim.get("/spending").status_code == 303


def test_a_wrong_state_is_refused(browser):
    back = urlsplit(browser.agree(browser.begin()))
    query = {name: values[0] for name, values in parse_qs(back.query).items()} | {"state": "guessed"}

    assert browser.ours.get(f"{BACK}?{urlencode(query)}").status_code == 400
    assert browser.ours.get("/spending").status_code == 303


def test_a_code_without_its_verifier_is_worth_nothing(browser, settings):
    from starlette.responses import Response

    from bot.entrypoints.web.dashboard.session import Begun

    back = browser.agree(browser.begin())
    sessions, answer = Sessions(settings.session_key, is_https=False), Response()
    state = parse_qs(urlsplit(back).query)["state"][0]
    sessions.begin(answer, Begun(state, "another verifier", "/"))
    name, _, value = answer.headers["set-cookie"].partition(";")[0].partition("=")
    browser.ours.cookies.clear()
    browser.ours.cookies.set(name, value)

    assert browser.ours.get(back).status_code == 400


def test_a_callback_is_good_once(browser):
    back = browser.agree(browser.begin())
    assert browser.ours.get(back).status_code == 303

    assert browser.ours.get(back).status_code == 400


def test_who_does_not_agree_is_told_so(browser):
    answer = browser.ours.get(browser.agree(browser.begin(), who=None))

    assert answer.status_code == 400
    assert "did not agree" in Page(answer.text).text


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(browser):
    cookie = next(c for c in browser.sign_in().headers.get_list("set-cookie") if c.startswith("gonogo="))

    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert "Secure" not in cookie


def test_behind_https_the_cookie_is_never_sent_without(settings, github, engine):
    https = settings.model_copy(update={"url": "https://gonogo.example.com"})
    https.__dict__.pop("public_url", None)
    with TestClient(web_app(https, engine=engine, redis=open_redis("unix:///nowhere")), follow_redirects=False) as ours:
        cookie = ours.get("/sign-in").headers["set-cookie"]

    assert cookie.startswith("__Host-gonogo-sign-in=")
    assert "Secure" in cookie


def test_no_token_of_github_is_kept_anywhere(browser, tmp_path, github):
    answer = browser.sign_in()

    kept = b"".join(p.read_bytes() for p in tmp_path.rglob("gonogo.db*"))
    assert b"ghu_" not in kept
    assert "ghu_" not in str(answer.headers)


@pytest.mark.parametrize("broken", ["", "x", "e30.aaaa.bbbb"])
def test_a_forged_cookie_is_nobody(browser, broken):
    browser.sign_in()
    good = browser.ours.cookies["gonogo"]
    forged = broken or good[:-1] + ("A" if good[-1] != "A" else "B")
    browser.ours.cookies.clear()
    browser.ours.cookies.set("gonogo", forged)

    assert browser.ours.get("/spending").status_code == 303


def test_a_cookie_of_one_kind_is_not_taken_for_the_other(browser):
    browser.begin()
    sign_in = browser.ours.cookies["gonogo-sign-in"]
    browser.ours.cookies.clear()
    browser.ours.cookies.set("gonogo", sign_in)

    assert browser.ours.get("/spending").status_code == 303


def test_a_session_ends_after_eight_hours(settings, monkeypatch):
    import time

    from starlette.requests import Request
    from starlette.responses import Response

    sessions, answer = Sessions(settings.session_key, is_https=False), Response()
    sessions.open(answer, Viewer.of(number=1, login="rita"))
    cookie = answer.headers["set-cookie"].partition(";")[0]
    request = Request({"type": "http", "headers": [(b"cookie", cookie.encode())]})
    assert sessions.viewer(request) is not None
    began = time.time()

    monkeypatch.setattr(time, "time", lambda: began + 8 * 3600 + 2)

    assert sessions.viewer(request) is None


def test_signing_out_needs_the_form_of_this_session(browser):
    browser.sign_in()
    token = _form_token(browser.ours.get("/spending"))

    assert browser.ours.get("/sign-out").status_code == 405
    assert browser.ours.post("/sign-out").status_code == 403
    assert browser.ours.post("/sign-out", data={"token": "0" * 64}).status_code == 403
    assert browser.ours.get("/spending").status_code == 200

    assert browser.ours.post("/sign-out", data={"token": token}).status_code == 303
    assert browser.ours.get("/spending").status_code == 303


def test_a_copy_of_the_cookie_is_nobody_in_every_web_process_once_its_session_was_signed_out(browser, settings, engine):
    browser.sign_in()
    copied, token = browser.ours.cookies["gonogo"], _form_token(browser.ours.get("/spending"))
    browser.ours.post("/sign-out", data={"token": token})

    with TestClient(web_app(settings, engine=engine, redis=open_redis("unix:///nowhere")), follow_redirects=False) as another:
        for process in (browser.ours, another):
            process.cookies.clear()
            process.cookies.set("gonogo", copied)
            for path in ("/spending", "/evaluations/abc", "/evaluations/abc/report.json", "/?text=x"):
                answer = process.get(path)
                assert answer.status_code == 303 or "Sign in with GitHub" in Page(answer.text).text, path
            assert "rita" not in Page(process.get("/no-such-page").text).text


def test_signing_out_ends_no_other_session_of_the_person(browser, settings, engine):
    browser.sign_in()
    first, token = browser.ours.cookies["gonogo"], _form_token(browser.ours.get("/spending"))
    browser.ours.cookies.clear()
    browser.sign_in()
    second = browser.ours.cookies["gonogo"]
    browser.ours.cookies.clear()
    browser.ours.cookies.set("gonogo", first)
    browser.ours.post("/sign-out", data={"token": token})

    browser.ours.cookies.clear()
    browser.ours.cookies.set("gonogo", second)
    assert browser.ours.get("/spending").status_code == 200


def _form_token(answer: httpx.Response) -> str:
    return next(told["value"] for tag, told in Page(answer.text).tags if tag == "input" and told.get("name") == "token")


def test_the_token_of_another_session_does_not_sign_out(browser, settings):
    browser.sign_in()
    other = Sessions(settings.session_key, is_https=False).form_token(Viewer.of(number=1, login="rita"))

    assert browser.ours.post("/sign-out", data={"token": other}).status_code == 403


def test_without_a_client_nobody_can_sign_in_and_that_is_said(tmp_path, engine):
    settings = settings_for(tmp_path)
    with TestClient(web_app(settings, engine=engine, redis=open_redis("unix:///nowhere")), follow_redirects=False) as ours:
        first, sign_in = ours.get("/"), ours.get("/sign-in")

    assert "GONOGO_GITHUB_CLIENT_ID and GONOGO_GITHUB_CLIENT_SECRET are not set" in Page(first.text).text
    assert sign_in.status_code == 503


def test_the_repositorys_own_permission_on_github_decides(browser, github, app, engine):
    shop = github.repositories.create("acme/shop", is_private=True)
    github.repositories.give(shop, "olivia", "read")
    installation = github.apps.install(app, "acme", tell=False)
    story = Story(engine)
    from bot.storage.app_rows import Outcome, RepositoryFacts

    story.store.upsert_repository(RepositoryFacts(id=shop.id, installation_id=installation.id, owner="acme", name="shop"))
    row = story.evaluated(story.pull_request(shop.id, "Ours"), outcome=Outcome.GO, summary="Fine.")

    browser.sign_in(who="olivia")
    assert "Ours" in Page(browser.ours.get("/").text).text
    assert browser.ours.get(f"/evaluations/{row.id}").status_code == 200

    browser.ours.cookies.clear()
    browser.sign_in(who="stranger")
    assert "Ours" not in Page(browser.ours.get("/").text).text
    assert browser.ours.get(f"/evaluations/{row.id}").status_code == 404


def test_every_page_forbids_scripts_and_frames(browser):
    browser.sign_in()
    for path in ("/", "/spending", "/no-such-page"):
        policy = browser.ours.get(path).headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "style-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
