"""The one comment of a pull request: changed in place, found again by marker and author, never made twice."""

from collections.abc import AsyncIterator

from bot.github.answers import CommentAnswer, read_as, read_item
from bot.github.calls import Calls
from bot.github.identity import Identity
from gonogo.errors import ForgeUnavailable, Gone
from gonogo.forge import Comment

_LOOKS_S = (1.0, 3.0)
"""Waits before each look for a comment whose making was cut off: GitHub shows new things late."""


async def publish(
    calls: Calls, at: str, identity: Identity, number: int, body: str, *, marker: str, comment_id: int | None
) -> int:
    """Change the comment of that id, else ours with the marker, else make it; its id.

    Only a comment that is gone is looked for elsewhere: any other failure is raised, so that no second comment comes of it.
    """
    if marker not in body:
        raise ValueError(f"the body does not hold its marker {marker}")
    if comment_id is not None:
        try:
            return await _change(calls, at, comment_id, body)
        except Gone:
            comment_id = None
    found = await find(calls, at, identity, number, marker=marker)
    if found is not None:
        return await _change(calls, at, found, body)
    try:
        answer = await calls.create(f"{at}/issues/{number}/comments", {"body": body})
        return read_as(CommentAnswer, answer, is_written=True).id
    except ForgeUnavailable as error:
        if not error.may_be_done:
            raise
        return await _made_all_the_same(calls, at, identity, number, marker=marker, error=error)


async def find(calls: Calls, at: str, identity: Identity, number: int, *, marker: str) -> int | None:
    """Our oldest comment with the marker; every page is read until it is found."""
    async for comment in listed(calls, at, number):
        if marker in comment.body and await identity.wrote(comment):
            return comment.id
    return None


async def listed(calls: Calls, at: str, number: int) -> AsyncIterator[Comment]:
    """The comments, oldest first: GitHub gives them by ascending number."""
    async for item in calls.pages(f"{at}/issues/{number}/comments"):
        yield read_item(CommentAnswer, item).facts()


async def _change(calls: Calls, at: str, comment_id: int, body: str) -> int:
    await calls.change("PATCH", f"{at}/issues/comments/{comment_id}", {"body": body})
    return comment_id


async def _made_all_the_same(
    calls: Calls, at: str, identity: Identity, number: int, *, marker: str, error: ForgeUnavailable
) -> int:
    """The id of a comment that GitHub made before it broke; else the failure, and the next attempt begins with a look."""
    for wait in _LOOKS_S:
        await calls.wait(wait)
        found = await find(calls, at, identity, number, marker=marker)
        if found is not None:
            return found
    raise error
