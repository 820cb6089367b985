"""Comments of the loopback GitHub."""

import pytest

from tests.github.asking import as_installation
from tests.github.conftest import Shop

COMMENTS = "/repos/acme/shop/issues/1/comments"


def test_a_comment_is_the_apps_and_edited_in_place(shop: Shop) -> None:
    made = shop.ask.post(COMMENTS, json={"body": "go"}).json()
    shop.ask.patch(f"/repos/acme/shop/issues/comments/{made['id']}", json={"body": "no-go"})

    (comment,) = shop.github.comments(shop.pull)
    assert (made["user"]["login"], made["user"]["type"], made["performed_via_github_app"]["id"]) == (
        "gonogo[bot]",
        "Bot",
        shop.app.id,
    )
    assert (comment.body, comment.edits, [m.text for m in comment.moments]) == ("no-go", 1, ["go", "no-go"])


def test_comments_are_ascending_and_thirty_a_page_unless_more_are_asked_for(shop: Shop) -> None:
    for n in range(131):
        shop.github.conversations.comment(shop.pull, f"comment {n}", tell=False)

    first, widest = shop.ask.get(COMMENTS), shop.ask.get(COMMENTS, params={"per_page": 100})
    rest = shop.ask.get(widest.links["next"]["url"]).json()

    assert len(first.json()) == 30
    assert len(widest.json()) == 100
    assert [c["body"] for c in rest] == [f"comment {n}" for n in range(100, 131)]
    assert first.links["last"]["url"].endswith("page=5")


def test_people_have_no_app_in_their_comments(shop: Shop) -> None:
    shop.github.conversations.comment(shop.pull, "/gonogo evaluate", by="olivia")

    (said,) = shop.ask.get(COMMENTS).json()
    assert (said["user"]["type"], said["performed_via_github_app"]) == ("User", None)


@pytest.mark.parametrize(
    ("body", "said"), [("x" * 65_537, "Body is too long (maximum is 65536 characters)"), ("  ", "missing_field")]
)
def test_too_long_or_empty_is_422(shop: Shop, body: str, said: str) -> None:
    answer = shop.ask.post(COMMENTS, json={"body": body})

    assert answer.status_code == 422
    assert said in answer.text
    assert shop.ask.post(COMMENTS, json={"body": "x" * 65_536}).status_code == 201


def test_a_locked_conversation_takes_no_comment_and_no_edit_until_it_is_unlocked(shop: Shop) -> None:
    number = shop.ask.post(COMMENTS, json={"body": "a"}).json()["id"]
    shop.github.pulls.lock(shop.pull)

    refused = (
        shop.ask.post(COMMENTS, json={"body": "b"}),
        shop.ask.patch(f"/repos/acme/shop/issues/comments/{number}", json={"body": "b"}),
    )

    assert [(r.status_code, "locked" in r.json()["message"]) for r in refused] == [(403, True), (403, True)]
    shop.github.pulls.unlock(shop.pull)
    assert shop.ask.post(COMMENTS, json={"body": "b"}).status_code == 201


def test_a_comment_of_somebody_else_cannot_be_edited(shop: Shop) -> None:
    other = shop.github.apps.register("other")
    shop.github.apps.install(other, "acme")
    spoofed = shop.github.conversations.comment(shop.pull, "<!-- gonogo:1 -->", by="mallory")
    of_other = shop.github.conversations.comment(shop.pull, "<!-- gonogo:1 -->", bot_of=other)

    refused = [
        shop.ask.patch(f"/repos/acme/shop/issues/comments/{c.id}", json={"body": "b"}).status_code for c in (spoofed, of_other)
    ]

    assert refused == [403, 403]


def test_a_deleted_comment_is_404(shop: Shop) -> None:
    number = shop.ask.post(COMMENTS, json={"body": "a"}).json()["id"]
    shop.github.conversations.delete(shop.github.comments(shop.pull)[0])

    assert shop.ask.patch(f"/repos/acme/shop/issues/comments/{number}", json={"body": "b"}).status_code == 404
    assert shop.ask.get(COMMENTS).json() == []


def test_a_reaction_counts_once(shop: Shop) -> None:
    asked = shop.github.conversations.comment(shop.pull, "/gonogo evaluate", by="olivia")
    where = f"/repos/acme/shop/issues/comments/{asked.id}/reactions"

    statuses = [shop.ask.post(where, json={"content": "eyes"}).status_code for _ in range(2)]

    assert statuses == [201, 200]
    assert [r["content"] for r in shop.ask.get(where).json()] == ["eyes"]
    assert shop.ask.get(f"/repos/acme/shop/issues/comments/{asked.id}").json()["reactions"]["eyes"] == 1


def test_either_issues_or_pull_requests_is_enough_to_comment_and_neither_is_not(shop: Shop) -> None:
    def posted(**permissions: str) -> int:
        with as_installation(shop.github, shop.installation, permissions=permissions) as ask:
            return ask.post(COMMENTS, json={"body": "a"}).status_code

    assert posted(pull_requests="write") == 201
    assert posted(issues="read", checks="write") == 403
