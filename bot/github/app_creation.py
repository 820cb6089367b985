"""Makes the App from its manifest: the code that GitHub hands back becomes the App's secrets, and they go into one file.

https://docs.github.com/en/apps/sharing-github-apps/registering-a-github-app-from-a-manifest
"""

import asyncio
import os
import re
import secrets
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path

from pydantic import ValidationError

from bot.github.access import GITHUB_API_URL, GITHUB_URL
from bot.github.shapes import Account, Text, Tolerant
from bot.github.wire import CutOff, Wire
from gonogo.errors import CallError, ForgeUnavailable, Refused, StageFailed
from gonogo.record import Record

CODE = re.compile(r"[A-Za-z0-9._-]{1,200}")
_PLAIN = re.compile(r"[A-Za-z0-9._:/+=@\\ -]*")
_APP_ID = "GONOGO_GITHUB_APP_ID"


class CreatedApp(Record):
    """The App that was made, with its secrets: GitHub tells them once. A repr shows none."""

    id: int
    slug: str
    owner: str
    page: str
    client_id: str
    client_secret: str = field(repr=False)
    webhook_secret: str = field(repr=False)
    private_key: str = field(repr=False)

    @property
    def installing(self) -> str:
        """Where its owner gives it repositories."""
        return f"{self.page}/installations/new"


class _Conversion(Tolerant):
    id: int
    slug: Text = ""
    owner: Account | None = None
    html_url: Text = ""
    client_id: Text = ""
    client_secret: Text = ""
    webhook_secret: str
    pem: str


def exchange(code: str, *, api_url: str, web_url: str) -> CreatedApp:
    """The App for a code, which GitHub takes once and within an hour. Raises Refused or ForgeUnavailable."""
    if not CODE.fullmatch(code):
        raise Refused("what came back holds no code of GitHub's; begin again")

    async def convert() -> CreatedApp:
        wire = Wire(None, api_url=api_url)
        try:
            answer = await wire.send("POST", f"/app-manifests/{code}/conversions", is_signed=False)
        except CutOff as error:
            raise ForgeUnavailable(f"GitHub did not hand out the App's secrets ({error.why}); begin again") from error
        finally:
            await wire.aclose()
        if answer.status >= 500:
            raise ForgeUnavailable(f"GitHub did not hand out the App's secrets (it answered {answer.status}); begin again")
        if answer.status >= 300:
            raise Refused(f"GitHub did not take the code (it answered {answer.status}): it is used up or older than an hour")
        try:
            made = _Conversion.model_validate(answer.data)
        except ValidationError as error:
            raise ForgeUnavailable("GitHub's answer lacks the App's secrets; make new ones on the App's page") from error
        return CreatedApp(
            id=made.id,
            slug=made.slug,
            owner=made.owner.said if made.owner else "",
            page=made.html_url or f"{web_url}/apps/{made.slug}",
            client_id=made.client_id,
            client_secret=made.client_secret,
            webhook_secret=made.webhook_secret,
            private_key=made.pem,
        )

    return asyncio.run(convert())


class SettingsFile:
    """The file that the secrets go to, readable by its owner alone. Opened before anything is created, so that they have a place."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._before = path.read_text(encoding="utf-8") if path.exists() else ""
        except (OSError, UnicodeDecodeError) as error:
            raise CallError(f"--settings {path} cannot be read ({error})") from error
        if re.search(rf"^\s*(?:export\s+)?{_APP_ID}\s*=\s*\S", self._before, re.MULTILINE):
            raise CallError(f"--settings {path} holds an App already ({_APP_ID}); name another file")
        self._new = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
        try:
            self._descriptor = os.open(self._new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except OSError as error:
            raise CallError(
                f"--settings {path} cannot be written ({error.strerror}); name a file in a folder of yours"
            ) from error

    def write(self, app: CreatedApp, *, url: str, api_url: str, web_url: str) -> None:
        """What was there before, and the App's settings after it."""
        lines = [f"{name}={_value(value)}" for name, value in settings_of(app, url=url, api_url=api_url, web_url=web_url).items()]
        before = f"{self._before.rstrip()}\n\n" if self._before.strip() else ""
        text = f"{before}# The GitHub App {app.slug}\n" + "\n".join(lines) + "\n"
        try:
            with open(self._descriptor, "w", encoding="utf-8") as file:  # noqa: PTH123  the descriptor is open already
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            self._new.replace(self.path)
        except OSError as error:
            raise StageFailed(
                "app", f"the secrets could not be written to {self.path} ({error.strerror})", f"make new ones on {app.page}"
            ) from error

    def close(self) -> None:
        """Leave nothing behind when nothing was written."""
        if self._new.exists():
            os.close(self._descriptor)
            self._new.unlink()


def settings_of(app: CreatedApp, *, url: str, api_url: str, web_url: str) -> Mapping[str, str]:
    """Setting → value, as the server reads them."""
    elsewhere = {"GONOGO_GITHUB_API_URL": api_url, "GONOGO_GITHUB_URL": web_url}
    return {
        "GONOGO_URL": url.rstrip("/"),
        **({} if (api_url, web_url) == (GITHUB_API_URL, GITHUB_URL) else elsewhere),
        _APP_ID: str(app.id),
        "GONOGO_GITHUB_CLIENT_ID": app.client_id,
        "GONOGO_GITHUB_CLIENT_SECRET": app.client_secret,
        "GONOGO_GITHUB_WEBHOOK_SECRET": app.webhook_secret,
        "GONOGO_GITHUB_PRIVATE_KEY": app.private_key.strip().replace("\r", "").replace("\n", "\\n"),
    }


def _value(text: str) -> str:
    """On one line and without quotes where it can be: other readers of such files take quotes for a part of the value."""
    return text if _PLAIN.fullmatch(text) else "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
