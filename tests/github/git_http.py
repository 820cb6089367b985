"""Fetching over smart HTTP, with the API's tokens: `{web}/{owner}/{repo}.git`, basic auth `x-access-token`."""

import asyncio
import contextlib
import gzip
import re

from fastapi import Request
from fastapi.responses import RedirectResponse, Response

from tests.github.authority import Refusal, bearer_of, require
from tests.github.bare import environment
from tests.github.hub import Hub
from tests.github.world import Repository

ADDRESS = re.compile(r"/(?P<owner>[^/]+)/(?P<name>[^/]+?)(?:\.git)?/(?P<what>info/refs|git-upload-pack|git-receive-pack)")


async def serve_git(request: Request, hub: Hub, owner: str, name: str, what: str) -> Response:
    """One request of git's; reading only, the App has no right to push."""
    world = hub.world
    repository = world.repository(owner, name)
    if repository is None:
        moved = world.repositories.get(world.former_names.get(f"{owner}/{name}".lower(), 0))
        if moved is not None:
            return RedirectResponse(f"{world.web_url}/{moved.full_name}.git/{what}?{request.url.query}", 301)
    try:
        bearer = bearer_of(world, request.headers.get("authorization"))
        if repository:
            require(bearer, repository, world, (("contents", "read"),))
    except Refusal as refused:
        # GitHub says 401 to who is not known, and hides what is out of sight
        asks = {"WWW-Authenticate": 'Basic realm="GitHub"'} if refused.status == 401 else {}
        return Response(f"remote: {refused.message}\n", refused.status, headers=asks, media_type="text/plain")
    if repository is None:
        return Response("remote: Repository not found.\n", 404, media_type="text/plain")
    service = request.query_params.get("service", "")
    if what == "git-receive-pack" or service == "git-receive-pack":
        return Response("remote: Write access to repository not granted.\n", 403, media_type="text/plain")
    if what == "info/refs":
        return await _advertise(request, repository, service)
    body = await request.body()
    if request.headers.get("content-encoding") == "gzip":
        body = gzip.decompress(body)
    answer = await _upload_pack(request, repository, "--stateless-rpc", given=body)
    return Response(answer, media_type="application/x-git-upload-pack-result", headers={"Cache-Control": "no-cache"})


async def _advertise(request: Request, repository: Repository, service: str) -> Response:
    if service != "git-upload-pack":
        return Response("Please upgrade your git client.\n", 403, media_type="text/plain")
    answer = await _upload_pack(request, repository, "--stateless-rpc", "--advertise-refs")
    banner = b"" if _version(request) == "version=2" else b"001e# service=git-upload-pack\n0000"
    return Response(
        banner + answer, media_type="application/x-git-upload-pack-advertisement", headers={"Cache-Control": "no-cache"}
    )


async def _upload_pack(request: Request, repository: Repository, *flags: str, given: bytes = b"") -> bytes:
    version = _version(request)
    env = environment() | ({"GIT_PROTOCOL": version} if version else {})
    is_listing = b"command=ls-refs" in given or ("--advertise-refs" in flags and version != "version=2")
    stale = _stale(repository, is_listing=is_listing)
    process = await asyncio.create_subprocess_exec(
        "git", "upload-pack", *flags, str(repository.git.folder), env=env,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    try:
        out, _ = await process.communicate(given)
    except asyncio.CancelledError:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        raise
    for name, (shown, true) in stale.items():
        out = out.replace(f"{true} {name}".encode(), f"{shown} {name}".encode())
    return out


def _stale(repository: Repository, *, is_listing: bool) -> dict[str, tuple[str, str]]:
    """References that still show an older commit, `{name: (shown, true)}`; each listing uses one up."""
    found: dict[str, tuple[str, str]] = {}
    for name, older in repository.stale_refs.items():
        if is_listing and older and (true := repository.git.ref(name)):
            found[name] = (older.pop(0), true)
    return found


def _version(request: Request) -> str:
    return request.headers.get("git-protocol", "")
