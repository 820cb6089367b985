"""One request as the routes see it: who asks, for which repository, with what body; and how lists are paged."""

from collections.abc import Sequence
from typing import Annotated, Any, cast
from urllib.parse import urlencode

from fastapi import Depends, Request
from fastapi.responses import JSONResponse, Response

from tests.github.authority import Bearer, Refusal, bearer_of, require
from tests.github.facts import Facts
from tests.github.hub import Hub
from tests.github.world import App, PullRequest, Repository

Grant = tuple[str, str]


class Asked:
    """What a route needs. `json` is {} without a body."""

    def __init__(self, request: Request, hub: Hub, body: Any) -> None:
        self.request, self.hub, self.world = request, hub, hub.world
        self.facts: Facts = hub.facts
        self.json: dict[str, Any] = body
        self.query = dict(request.query_params)
        self._bearer: Bearer | None = None

    @property
    def bearer(self) -> Bearer:
        if self._bearer is None:
            self._bearer = bearer_of(self.world, self.request.headers.get("authorization"))
        return self._bearer

    def app(self) -> App:
        """The App that asks by its JWT."""
        if self.bearer.app is None:
            raise Refusal(401, "A JSON web token could not be decoded")
        return self.bearer.app

    def repository(self, owner: str, name: str, *grants: Grant) -> Repository:
        """The repository, when the asker holds one of the grants on it; a write to an archived one is refused."""
        bearer = self.bearer
        found = self.world.repository(owner, name)
        if found is None:
            raise Refusal(404, "Not Found")
        require(bearer, found, self.world, grants or (("metadata", "read"),))
        if found.is_archived and self.request.method != "GET":
            raise Refusal(403, "Repository was archived so is read-only.")
        return found

    def pull(self, repository: Repository, number: int) -> PullRequest:
        found = self.world.pull(repository, number)
        if found is None:
            raise Refusal(404, "Not Found")
        return found

    def acting_app(self) -> App | None:
        return self.bearer.installation.app if self.bearer.installation else None

    def page(self, items: Sequence[Any], *, most: int = 100, usual: int = 30) -> tuple[Sequence[Any], dict[str, str]]:
        """The asked page and the Link header of it; more than `most` a page is cut down silently, as GitHub does."""
        size = min(max(int(self.query.get("per_page", usual)), 1), most)
        number = max(int(self.query.get("page", 1)), 1)
        last = max(-(-len(items) // size), 1)
        links: list[str] = []
        for rel, target in (("prev", number - 1), ("next", number + 1), ("last", last), ("first", 1)):
            useful = number < last if rel in {"next", "last"} else number > 1
            if useful:
                links.append(f'<{self.address(page=target)}>; rel="{rel}"')
        return items[(number - 1) * size : number * size], {"Link": ", ".join(links)} if links else {}

    def address(self, **query: Any) -> str:
        """This request's address with other query values."""
        return f"{self.world.api_url}{self.request.url.path}?{urlencode(self.query | {k: str(v) for k, v in query.items()})}"

    def listed(self, items: Sequence[Any], *, usual: int = 30) -> Response:
        shown, headers = self.page(items, usual=usual)
        return JSONResponse(list(shown), headers=headers)


async def _asked(request: Request) -> Asked:
    raw = await request.body()
    body: Any = {}
    if raw and "form" not in request.headers.get("content-type", ""):
        try:
            body = await request.json()
        except ValueError as bad:
            raise Refusal(400, "Problems parsing JSON") from bad
    return Asked(request, cast("Hub", request.scope["hub"]), body)


Ask = Annotated[Asked, Depends(_asked)]


def invalid(resource: str, field: str, code: str, message: str | None = None) -> Refusal:
    """GitHub's 422 with one error in it."""
    error = {"resource": resource, "code": code, "field": field}
    return Refusal(422, "Validation Failed", errors=[error | ({"message": message} if message else {})])
