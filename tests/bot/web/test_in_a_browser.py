"""The dashboard in a real Chromium: on a phone and on a desk, light and dark, with scripts and without."""

import os
import shutil
import threading
import time
from collections.abc import Callable, Generator

import pytest
import uvicorn
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, sync_playwright

from tests.bot.web.visitor import PAGES, Visitor, weeks

__all__ = ["weeks"]

KINDS = ("go", "no-go", "nothing", "could-not", "cancelled", "running", "queued")
PHONE, DESK = 390, 1280
LATER = [
    pytest.param(width, scheme, marks=pytest.mark.long) for width, scheme in ((PHONE, "light"), (DESK, "light"), (DESK, "dark"))
]
WIDEST = """[...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > innerWidth
    && !e.closest('pre, svg, .scroll')).map(e => e.outerHTML.slice(0, 120))"""
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture(scope="module")
def dashboard(weeks) -> Generator[tuple[str, Visitor]]:
    """Its address, and who may read it."""
    visitor = Visitor(weeks[0], weeks[1])
    config = uvicorn.Config(visitor.app, host="127.0.0.1", port=0, log_level="error", lifespan="off", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}", visitor
    server.should_exit = True
    thread.join(timeout=10)


@pytest.fixture(scope="module")
def browser() -> Generator[Browser]:
    if CHROMIUM is None:
        pytest.skip("no chromium; install the package chromium")
    with sync_playwright() as playwright:
        flags = ["--no-sandbox"] if os.geteuid() == 0 else []
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
        yield opened
        opened.close()


@pytest.fixture
def open_page(browser, dashboard) -> Generator[Callable[..., Page]]:
    """A page of somebody who is signed in, `width` pixels wide; what the browser complains of is a failure."""
    address, visitor = dashboard
    complaints: list[str] = []
    contexts = []

    def open_one(width: int, *, scheme="light", scripts=True, signed_in=True) -> Page:
        context = browser.new_context(
            base_url=address,
            viewport={"width": width, "height": 844},
            color_scheme=scheme,
            java_script_enabled=scripts,
            bypass_csp=True,
        )
        contexts.append(context)
        if signed_in:
            name, value = visitor.cookie_of(visitor.viewer)
            context.add_cookies([{"name": name, "value": value, "url": address}])
        page = context.new_page()
        page.on("console", lambda said: complaints.append(f"{page.url}: {said.text}") if said.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(f"{page.url}: {error}"))
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert [said for said in complaints if "404" not in said] == []


@pytest.fixture
def every_page(weeks) -> list[str]:
    return [*PAGES, *(f"/evaluations/{weeks[2][kind].id}" for kind in KINDS), "/no-such-page"]


@pytest.mark.parametrize(("width", "scheme"), [(PHONE, "dark"), *LATER])
def test_nothing_stands_in_the_way_of_who_reads_otherwise(open_page, every_page, width, scheme, tmp_path):
    page, found = open_page(width, scheme=scheme), {}
    for path in every_page:
        page.goto(path)
        page.screenshot(path=tmp_path / f"{path.strip('/').replace('/', '-') or 'list'}.png", full_page=True)
        if faults := [f"{v['id']}: {v['nodes'][0]['html'][:200]}" for v in Axe().run(page).response["violations"]]:
            found[path] = faults

    assert found == {}


@pytest.mark.parametrize("width", [320, pytest.param(PHONE, marks=pytest.mark.long), pytest.param(DESK, marks=pytest.mark.long)])
def test_no_page_is_wider_than_the_screen(open_page, every_page, width):
    page, wide = open_page(width), {}
    for path in every_page:
        page.goto(path)
        if page.evaluate("document.documentElement.scrollWidth") > width:
            wide[path] = page.evaluate(WIDEST)

    assert wide == {}


def test_on_a_phone_the_verdict_and_its_number_are_seen_without_scrolling(open_page, weeks):
    page = open_page(PHONE)
    page.goto(f"/evaluations/{weeks[2]['no-go'].id}")

    said = page.get_by_text("may degrade production").first
    box = said.bounding_box()

    assert box is not None
    assert box["y"] + box["height"] < 844


def test_without_scripts_the_list_is_filtered_and_everything_folded_can_be_opened(open_page, weeks):
    page = open_page(DESK, scripts=False)
    page.goto("/")
    rows = page.locator("a[href^='/evaluations/']").count()

    page.get_by_label("Outcome").select_option("no-go")
    page.get_by_role("button", name="Filter").click()
    fewer = page.locator("a[href^='/evaluations/']").count()

    assert 0 < fewer < rows
    page.goto(f"/evaluations/{weeks[2]['no-go'].id}")
    for folded in page.locator("details:not([open]) > summary").all():
        folded.click()
    assert page.locator("details:not([open])").count() == 0


def test_every_control_is_reached_by_the_keyboard_and_shows_it(open_page):
    page = open_page(DESK)
    page.goto("/")
    controls = page.locator("a[href], button, input:not([type=hidden]), select, summary").count()
    reached = set()
    for _ in range(controls + 5):
        page.keyboard.press("Tab")
        found = page.evaluate(
            "(e => e === document.body ? null : [[...document.querySelectorAll('*')].indexOf(e), getComputedStyle(e).outlineStyle])"
            "(document.activeElement)"
        )
        if found:
            reached.add(found[0])
            assert found[1] != "none"

    assert len(reached) == controls


def test_who_is_not_signed_in_sees_how_to(open_page):
    page = open_page(PHONE, signed_in=False)
    page.goto("/")

    assert page.get_by_text("Sign in").first.is_visible()
    assert "spokeway" not in page.content()
