"""What the App asks of an account, and why: the one list that the manifest, the tokens and the self-check are made from.

https://docs.github.com/en/apps/sharing-github-apps/registering-a-github-app-from-a-manifest
"""

from collections.abc import Mapping
from contextlib import suppress
from ipaddress import ip_address
from typing import Any, Literal
from urllib.parse import urlsplit

from bot.github.access import GITHUB_URL
from gonogo.errors import CallError
from gonogo.forge import AppFacts
from gonogo.record import Record

Level = Literal["read", "write"]


class AskedPermission(Record):
    """One permission. Without an optional one gonogo works, and says what it could not look at."""

    name: str
    level: Level
    reason: str
    is_optional: bool = False


PERMISSIONS = (
    AskedPermission("metadata", "read", "every App has it: the names of repositories"),
    AskedPermission("contents", "read", "read the code of base and head by git; nothing is ever pushed"),
    AskedPermission("pull_requests", "write", "read pull requests, and keep one comment on each up to date"),
    AskedPermission("checks", "write", "write the required check, its annotations and its buttons"),
    AskedPermission("issues", "read", "hear comments that begin with /gonogo"),
    AskedPermission("merge_queues", "read", "hear when a merge queue needs the check on a group"),
    AskedPermission("deployments", "read", "compare what was forecast with what happened after the deployment"),
    AskedPermission("actions", "read", "see the environments that workflows deploy to", is_optional=True),
    AskedPermission("environments", "read", "names of an environment's secrets and variables, never a value", is_optional=True),
    AskedPermission("secrets", "read", "names of the repository's secrets, never a value", is_optional=True),
)
"""`administration` is not asked for: `GET …/rules/branches/{branch}` and `GET …/branches/{branch}` tell whether our check is required."""

EVENTS = (
    "pull_request",
    "merge_group",
    "check_run",
    "check_suite",
    "issue_comment",
    "push",
    "deployment",
    "deployment_status",
    "repository",
)
"""`installation` and `installation_repositories` come to every App unasked."""


SIGN_IN_CALLBACK = "/sign-in/callback"
"""Where GitHub sends people back to who sign in to the dashboard. It must be exactly one of the App's callback URLs."""


def manifest(*, url: str, name: str = "gonogo", redirect_url: str | None = None, is_public: bool = False) -> dict[str, Any]:
    """The manifest as GitHub takes it; `url` is where `gonogo serve` is reached from GitHub."""
    address = url.rstrip("/")
    return {
        "name": name,
        "url": address,
        "description": "Says go or no-go on a pull request, with the evidence from production.",
        "public": is_public,
        "hook_attributes": {"url": f"{address}/webhooks/github", "active": True},
        "callback_urls": [f"{address}{SIGN_IN_CALLBACK}"],
        "setup_url": address,
        "default_permissions": {p.name: p.level for p in PERMISSIONS},
        "default_events": list(EVENTS),
        **({"redirect_url": redirect_url} if redirect_url else {}),
    }


def reachable_url(url: str, *, web_url: str) -> str:
    """Where GitHub reaches us, without a slash at its end; a CallError when github.com never could."""
    parts = urlsplit(url.strip())
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise CallError("--url: the address at which GitHub reaches gonogo serve is needed, like https://gonogo.example.com")
    is_local = parts.hostname == "localhost" or parts.hostname.endswith((".local", ".internal", ".localhost"))
    with suppress(ValueError):
        is_local = is_local or not ip_address(parts.hostname).is_global
    if is_local and web_url == GITHUB_URL:
        raise CallError(f"--url {url}: github.com does not reach this address; give a public one, or a tunnel's")
    return url.strip().rstrip("/")


class Shortcoming(Record):
    """Something that the App on GitHub lacks, against the manifest."""

    what: str
    reason: str
    is_optional: bool = False


def shortcomings(permissions: Mapping[str, str], events: tuple[str, ...] | None) -> tuple[Shortcoming, ...]:
    """What is missing of permissions and events, those that gonogo cannot do without first; no events given, none compared."""
    levels = {"read": 1, "write": 2, "admin": 3}
    lacking = [
        Shortcoming(f"permission {p.name}: {p.level}", p.reason, p.is_optional)
        for p in PERMISSIONS
        if levels.get(permissions.get(p.name, ""), 0) < levels[p.level] and p.name != "metadata"
    ]
    unheard = [Shortcoming(f"event {e}", "gonogo never hears of it") for e in EVENTS if events is not None and e not in events]
    return tuple(sorted([*lacking, *unheard], key=lambda s: s.is_optional))


def shortcomings_of(app: AppFacts) -> tuple[Shortcoming, ...]:
    """What the App lacks as it is registered."""
    return shortcomings(app.permissions, app.events)
