"""What `gonogo doctor` finds of the server: its settings, Redis, the App on GitHub and what it may do; and whether the model answers."""

import asyncio
import shutil
from collections.abc import Callable, Collection, Iterator, Mapping, MutableMapping, Sequence
from datetime import UTC, datetime, timedelta
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from bot.jobs.checkup import Found, Look
from gonogo.errors import CallError, Forbidden, ForgeError, ForgeUnavailable

if TYPE_CHECKING:
    from bot.github.app import GitHubApp
    from bot.github.app_manifest import Shortcoming
    from bot.investigator.claude import Access
    from bot.server_settings import ServerSettings
    from gonogo.forge import InstallationFacts

_MAX_INSTALLATIONS = 20
_TIMEOUT_S = 5


def look_at_model(
    environment: MutableMapping[str, str], access: "Callable[[MutableMapping[str, str]], Access]"
) -> Iterator[Look]:
    """Whether the models that are set up answer, when there is a key for them."""
    if environment.get("ANTHROPIC_API_KEY", "").strip():
        tried = access(environment)
        yield Look(found=Found.OK if tried.is_ok else Found.MISSING, what="model", said=tried.said)


def look_at_server(environment: MutableMapping[str, str], *, path: str | None = None) -> Iterator[Look]:
    """The lines about `gonogo serve` and `gonogo worker`; one line when nothing of them is set up."""
    if find_spec("pydantic_settings") is None or find_spec("githubkit") is None:
        return  # the line of the extra says what to install
    from bot.server_settings import load_server_settings  # noqa: PLC0415  the base install has no server

    redis_server, before = shutil.which("redis-server", path=path), set(environment)
    try:
        settings = load_server_settings(environment, is_embedded=True)
    except CallError as error:
        is_begun = "GONOGO_CONFIG" in environment or any(n.startswith("GONOGO_GITHUB_") for n in environment)
        said = str(error).removeprefix("cannot start: ") if is_begun else "gonogo app create makes the App and its settings"
        yield Look(found=Found.MISSING if is_begun else Found.UNUSED, what="server", said=said)
        return
    if mixed := _sent_elsewhere(environment, before):
        yield Look(found=Found.MISSING, what="server", said=mixed)
        return
    yield Look(found=Found.OK, what="server", said=f"settings complete; webhooks at {settings.public_url}/webhooks/github")
    yield _redis(settings, redis_server)
    if settings.github_client_id is None:
        said = "GONOGO_GITHUB_CLIENT_ID and _SECRET are not set: nobody can sign in to the dashboard"
        yield Look(found=Found.UNUSED, what="sign-in", said=said)
    yield from asyncio.run(_github(settings))


_SENT_TO: Mapping[str, Collection[str]] = {
    "ANTHROPIC_BASE_URL": ("ANTHROPIC_API_KEY",),
    "GONOGO_GITHUB_API_URL": ("GONOGO_GITHUB_PRIVATE_KEY", "GONOGO_GITHUB_PRIVATE_KEY_FILE"),
}


def _sent_elsewhere(environment: MutableMapping[str, str], before: Collection[str]) -> str | None:
    """A look around begins in any folder, also in a checkout that nobody has reviewed: its `.env` says not where keys go."""
    if "GONOGO_CONFIG" in before:
        return None
    for address, secrets in _SENT_TO.items():
        mine = next((name for name in secrets if name in before), None)
        if mine is not None and address in environment and address not in before:
            del environment[address]
            return f"{address} is from .env in this folder and {mine} is not: nothing was sent there; set both in one place"
    return None


def _redis(settings: "ServerSettings", redis_server: str | None) -> Look:
    import redis  # noqa: PLC0415

    if settings.redis_url is None:
        said = "GONOGO_REDIS_URL is not set; gonogo serve --embedded brings its own"
        if redis_server is None:
            return Look(
                found=Found.MISSING, what="redis", said=f"{said}, and needs redis-server: install the package redis-server"
            )
        return Look(found=Found.UNUSED, what="redis", said=f"{said} ({redis_server})")
    waits = {"socket_timeout": _TIMEOUT_S, "socket_connect_timeout": _TIMEOUT_S}
    client: Any = redis.Redis.from_url(settings.redis_url.get_secret_value(), **waits)  # pyright: ignore[reportUnknownMemberType]
    try:
        version = client.info("server").get("redis_version")
    except (redis.RedisError, OSError) as error:
        return Look(
            found=Found.MISSING, what="redis", said=f"not reached ({type(error).__name__}); start it, or correct GONOGO_REDIS_URL"
        )
    finally:
        client.close()
    return Look(found=Found.OK, what="redis", said=f"version {version}")


async def _github(settings: "ServerSettings") -> Sequence[Look]:
    from bot.github.access import access_of  # noqa: PLC0415
    from bot.github.app import GitHubApp  # noqa: PLC0415
    from bot.github.app_manifest import shortcomings_of  # noqa: PLC0415

    async with GitHubApp(access_of(settings)) as github:
        try:
            app = await github.app()
            installations = await github.installations()
        except ForgeError as error:
            return [Look(found=Found.MISSING, what="GitHub App", said=_advice(error, settings))]
        looks = [Look(found=Found.OK, what="GitHub App", said=f"{app.slug} (App {app.id}) at {settings.github_api_url}")]
        page = f"{settings.github_url}/apps/{app.slug}/installations/new"
        looks += [
            _lacking("GitHub App", one, "add it on the App's page, then accept it on each installation")
            for one in shortcomings_of(app)
        ]
        if not installations:
            looks.append(Look(found=Found.UNUSED, what="installations", said=f"none yet; give it repositories: {page}"))
        for one in installations[:_MAX_INSTALLATIONS]:
            looks += _installation(one)
        looks += await _deliveries(github)
        return looks


def _advice(error: ForgeError, settings: "ServerSettings") -> str:
    if isinstance(error, Forbidden):
        return f"{error} (App {settings.github_app_id})"
    if isinstance(error, ForgeUnavailable):
        return f"{settings.github_api_url} is not reached; check GONOGO_GITHUB_API_URL, the network and the proxy"
    return str(error)


def _lacking(what: str, one: "Shortcoming", advice: str) -> Look:
    found = Found.UNUSED if one.is_optional else Found.MISSING
    return Look(found=found, what=what, said=f"{one.what} is missing ({one.reason}); {advice}")


def _installation(one: "InstallationFacts") -> Iterator[Look]:
    from bot.github.app_manifest import shortcomings  # noqa: PLC0415

    what = f"on {one.account}"
    if one.is_suspended:
        yield Look(found=Found.UNUSED, what=what, said="suspended by its owner: nothing there is evaluated")
        return
    lacking = [
        _lacking(what, each, "its owner accepts it in the installation's settings")
        for each in shortcomings(one.permissions, None)
    ]
    yield from lacking or [Look(found=Found.OK, what=what, said=f"installation {one.id}, all permissions accepted")]


async def _deliveries(github: "GitHubApp") -> list[Look]:
    """Whether GitHub's webhooks of the last hour were answered."""
    try:
        tried = await github.hook_deliveries(since=datetime.now(UTC) - timedelta(hours=1))
    except ForgeError as error:
        return [Look(found=Found.UNUSED, what="webhooks", said=f"deliveries cannot be listed ({error})")]
    if not tried:
        return [Look(found=Found.UNUSED, what="webhooks", said="none in the last hour")]
    failed = [d for d in tried if not d.is_ok]
    said = f"{len(tried) - len(failed)} of {len(tried)} deliveries of the last hour were answered"
    if tried[0].is_ok:
        return [Look(found=Found.OK, what="webhooks", said=said)]
    answer = f"the newest got {tried[0].status_code}" if tried[0].status_code else "the newest got no answer"
    return [
        Look(
            found=Found.MISSING, what="webhooks", said=f"{said}, {answer}; is gonogo serve reached from GitHub, with this secret?"
        )
    ]
