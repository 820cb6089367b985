"""Comments of pull requests and reactions to them."""

from typing import Any

from fastapi import APIRouter
from fastapi.responses import JSONResponse, Response

from tests.github.acts_checks import Conversations
from tests.github.asked import Ask, Asked, invalid
from tests.github.authority import Refusal
from tests.github.world import Account, Comment, now

router = APIRouter()

MOST_CHARACTERS = 65_536
READ = (("issues", "read"), ("pull_requests", "read"))
WRITE = (("issues", "write"), ("pull_requests", "write"))


@router.get("/repos/{owner}/{name}/issues/{number}/comments")
async def list_comments(ask: Ask, owner: str, name: str, number: int) -> Response:
    """Ascending by id."""
    pull = ask.pull(ask.repository(owner, name, *READ), number)
    return ask.listed([ask.facts.comment(c) for c in Conversations(ask.hub).of(pull)])


@router.post("/repos/{owner}/{name}/issues/{number}/comments")
async def create_comment(ask: Ask, owner: str, name: str, number: int) -> Response:
    pull = ask.pull(ask.repository(owner, name, *WRITE), number)
    if pull.is_locked and ask.acting_app():
        raise Refusal(403, "Unable to create comment because issue is locked.")
    conversations = Conversations(ask.hub)
    made = conversations.add(pull, _body(ask), _author(ask), ask.acting_app())
    conversations.tell_comment(made, "created", made.author, wait=False)
    return JSONResponse(ask.facts.comment(made), 201)


@router.get("/repos/{owner}/{name}/issues/comments/{number}")
async def get_comment(ask: Ask, owner: str, name: str, number: int) -> Any:
    return ask.facts.comment(_comment(ask, owner, name, number, READ))


@router.patch("/repos/{owner}/{name}/issues/comments/{number}")
async def update_comment(ask: Ask, owner: str, name: str, number: int) -> Any:
    comment = _own(ask, owner, name, number)
    before, comment.body, comment.updated_at = comment.body, _body(ask), now()
    comment.moments.append(ask.world.moment("edited", comment.body))
    Conversations(ask.hub).tell_comment(comment, "edited", comment.author, wait=False, changes={"body": {"from": before}})
    return ask.facts.comment(comment)


@router.delete("/repos/{owner}/{name}/issues/comments/{number}")
async def delete_comment(ask: Ask, owner: str, name: str, number: int) -> Response:
    comment = _own(ask, owner, name, number)
    comment.is_deleted = True
    Conversations(ask.hub).tell_comment(comment, "deleted", comment.author, wait=False)
    return Response(status_code=204)


@router.get("/repos/{owner}/{name}/issues/comments/{number}/reactions")
async def list_reactions(ask: Ask, owner: str, name: str, number: int) -> Response:
    comment = _comment(ask, owner, name, number, READ)
    return ask.listed([_reaction(ask, *reaction) for reaction in comment.reactions])


@router.post("/repos/{owner}/{name}/issues/comments/{number}/reactions")
async def react(ask: Ask, owner: str, name: str, number: int) -> Response:
    """200 when it was there already, 201 when it is new."""
    comment, author, content = _comment(ask, owner, name, number, WRITE), _author(ask), ask.json["content"]
    known = next((r for r in comment.reactions if r[1] is author and r[2] == content), None)
    made = known or (ask.world.new_id(), author, content)
    if known is None:
        comment.reactions.append(made)
    return JSONResponse(_reaction(ask, *made), 200 if known else 201)


def _comment(ask: Asked, owner: str, name: str, number: int, grants: tuple[tuple[str, str], ...]) -> Comment:
    repository = ask.repository(owner, name, *grants)
    found = ask.world.comments.get(number)
    if found is None or found.repository is not repository or found.is_deleted:
        raise Refusal(404, "Not Found")
    return found


def _own(ask: Asked, owner: str, name: str, number: int) -> Comment:
    """A comment that the asker wrote, in a conversation that is open."""
    comment = _comment(ask, owner, name, number, WRITE)
    if comment.author is not _author(ask):
        raise Refusal(403, "Resource not accessible by integration")
    pull = ask.pull(comment.repository, comment.number)
    if pull.is_locked and ask.acting_app():
        raise Refusal(403, "Unable to update comment because issue is locked.")
    return comment


def _author(ask: Asked) -> Account:
    app = ask.acting_app()
    author = app.bot if app else ask.bearer.user
    if author is None:
        raise Refusal(401, "Bad credentials")
    return author


def _body(ask: Asked) -> str:
    body = str(ask.json.get("body") or "")
    if not body.strip():
        raise invalid("IssueComment", "body", "missing_field")
    if len(body) > MOST_CHARACTERS:
        raise invalid("IssueComment", "data", "unprocessable", "Body is too long (maximum is 65536 characters)")
    return body


def _reaction(ask: Asked, number: int, author: Account, content: str) -> dict[str, Any]:
    return {"id": number, "node_id": f"REA_{number}", "user": ask.facts.account(author), "content": content,
            "created_at": now().strftime("%Y-%m-%dT%H:%M:%SZ")}  # fmt: skip
