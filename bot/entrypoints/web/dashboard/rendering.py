"""Turns templates into answers. Every text is escaped unless a filter of `words` has made markup of it."""

import hashlib
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any, cast

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from bot.entrypoints.web.dashboard.charts import share
from bot.entrypoints.web.dashboard.session import Viewer
from bot.entrypoints.web.dashboard.words import FILTERS
from bot.report.links import reading_anchor
from gonogo import __version__

_WEB = Path(__file__).parent.parent
SHEET = _WEB / "static" / "gonogo.css"

PAGES = (
    ("/", "Evaluations"),
    ("/prevented", "Prevented"),
    ("/calibration", "Calibration"),
    ("/overrides", "Overrides"),
    ("/spending", "Cost and time"),
    ("/benchmarks", "Benchmarks"),
)


_UNSEEN = dict.fromkeys(
    [*range(9), 11, 12, *range(14, 32), *range(127, 160), *range(0x202A, 0x202F), *range(0x2066, 0x206A), *range(0xD800, 0xE000)],
    "\ufffd",
)
"""Control characters, those that turn the direction of what follows, and halves of surrogate pairs."""


def visible(value: object) -> object:
    """A text of a stranger with a sign for each character that is not seen but obeyed; anything else as it is."""
    return value.translate(_UNSEEN) if isinstance(value, str) else value


class Templates:
    """All pages of the dashboard, read once."""

    def __init__(self, *, clock: Callable[[], datetime], form_token: Callable[[Viewer], str]) -> None:
        self._clock, self._form_token = clock, form_token
        self._environment = Environment(
            loader=FileSystemLoader(_WEB / "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            finalize=visible,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        cast("dict[str, Any]", self._environment.filters).update(FILTERS)
        self._shared: dict[str, Any] = {
            "sheet": f"/static/gonogo.css?v={hashlib.sha256(SHEET.read_bytes()).hexdigest()[:12]}",
            "pages": PAGES,
            "version": __version__,
            "share": share,
            "reading_anchor": reading_anchor,
        }

    def page(self, request: Request, name: str, *, viewer: Viewer | None = None, status: int = 200, **told: Any) -> Response:
        """A page as HTML."""
        template = self._environment.get_template(f"{name}.html")
        text = template.render(
            path=request.url.path,
            viewer=viewer,
            form_token=self._form_token(viewer) if viewer else "",
            now=self._clock(),
            **self._shared,
            **told,
        )
        return HTMLResponse(text, status)
