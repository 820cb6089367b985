"""GitHub's own description holds both sides to account: what is asked of the loopback GitHub, and what it answers."""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import httpx
import pytest
from openapi_schema_validator import OAS30Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT4

from tests.github.against_description import complaint, template_of
from tests.github.asking import client, token_of
from tests.github.conftest import Shop
from tests.github.shapes import Json, description

HEADERS = {"user-agent": "tests", "content-type": "application/json"}


@pytest.mark.parametrize(
    ("method", "path", "query", "said"),
    [
        ("GET", "/repos/o/r/nothing", "", "no such endpoint"),
        ("PUT", "/repos/o/r/pulls", "", "no such endpoint"),
        ("GET", "/repos/o/r/pulls", "states=open", "unknown query parameter states"),
        ("GET", "/repos/o/r/pulls", "state=opened", "'opened' is not one of"),
        ("GET", "/repos/o/r/pulls/seven", "", "seven"),
        ("GET", "/repos/o/r/pulls/7/files", "per_page=200", "per_page is more than 100"),
        ("GET", "/repos/o/r/contents/a/b c.sql", "ref=main", None),
        ("GET", "/repos/o/r/compare/main...feature/x", "", None),
        ("GET", "/repos/o/r/commits/heads/feature/x/check-runs", "filter=latest", None),
        ("GET", "/repos/o/r/branches/release/1/protection/required_status_checks", "", None),
        ("GET", "/user/installations", "", None),
    ],
)
def test_a_request_is_held_to_the_description(method: str, path: str, query: str, said: str | None) -> None:
    reason = complaint(method, path, query, HEADERS, b"")

    assert (reason is None) if said is None else (reason is not None and said in reason)


def test_who_does_not_say_who_they_are_is_told() -> None:
    assert complaint("GET", "/app", "", {}, b"") == "no User-Agent: GitHub answers 403"


def test_what_is_against_the_description_is_kept_and_a_write_refused(shop: Shop) -> None:
    refused = shop.ask.patch("/repos/acme/shop/check-runs/1", json={"conclusion": "perhaps"})

    (violation,) = shop.github.record.violations
    assert (refused.status_code, violation.method, violation.path) == (422, "PATCH", "/repos/acme/shop/check-runs/1")
    assert "'perhaps' is not one of" in str(violation)
    shop.github.record.violations.clear()


@pytest.mark.parametrize(
    ("query", "status"), [("page=first", 422), ("state=opened", 422), ("colour=red", 200), ("per_page=500", 200)]
)
def test_a_read_with_a_bad_query_is_refused_or_as_github_does_goes_on(shop: Shop, query: str, status: int) -> None:
    answer = shop.ask.get(f"/repos/acme/shop/pulls?{query}")

    assert (answer.status_code, len(shop.github.record.violations)) == (status, 1)
    shop.github.record.violations.clear()


def test_a_mistake_of_the_loopback_github_itself_is_kept_for_the_test_to_see(shop: Shop) -> None:
    shop.repository.git.set_ref("refs/heads/gone", shop.pull.head_sha)
    shop.pull.head_sha = "f" * 40  # a state that the verbs do not make

    answer = shop.ask.get("/repos/acme/shop/pulls/1")

    assert answer.status_code == 500
    assert "GitFailed" in shop.github.record.crashes[0]
    shop.github.record.crashes.clear()


def test_answers_are_as_the_description_says(shop: Shop) -> None:
    answered = dict(_everything(shop))
    wrong = {name: reason for name, answer in answered.items() if (reason := _against(answer)) is not None}

    assert not wrong, "\n".join(f"{name}: {reason}" for name, reason in wrong.items())
    assert {a.request.method for a in answered.values()} == {"GET", "POST", "PATCH"}
    assert len(answered) >= 30


def _everything(shop: Shop) -> Iterator[tuple[str, httpx.Response]]:
    """One good answer of each endpoint that is described."""
    github, ask, app = shop.github, shop.ask, shop.app_asks
    repo, head = "/repos/acme/shop", shop.pull.head_sha
    github.repositories.require_check(shop.repository)
    github.repositories.require_check(shop.repository, by_rule=False)
    github.repositories.deploy(shop.repository)
    shop.repository.environments.append("production")
    shop.app.webhook_url = "http://127.0.0.1:9/none"
    github.apps.ping(shop.app)
    note = {"path": "app.py", "start_line": 1, "end_line": 1, "annotation_level": "failure", "message": "m"}
    output = {"title": "t", "summary": "s", "annotations": [note]}
    yield (
        "token",
        app.post(f"/app/installations/{shop.installation.id}/access_tokens", json={"repository_ids": [shop.repository.id]}),
    )
    yield "new check", shop.new_check(output=output)
    number = github.check(shop.pull).id
    yield (
        "check",
        ask.patch(f"{repo}/check-runs/{number}", json={"conclusion": "failure", "completed_at": "2026-11-30T12:00:00Z"}),
    )
    yield "new comment", ask.post(f"{repo}/issues/1/comments", json={"body": "a"})
    comment = github.comments(shop.pull)[0].id
    yield "comment", ask.patch(f"{repo}/issues/comments/{comment}", json={"body": "b"})
    yield "reaction", ask.post(f"{repo}/issues/comments/{comment}/reactions", json={"content": "eyes"})
    github.mail.settle()
    delivery = github.mail.deliveries[0].id
    blob = next(e.sha for e in shop.repository.git.entries(head) if e.kind == "blob")
    for path in ("/app", "/app/installations", f"/app/installations/{shop.installation.id}", f"{repo}/installation",
                 "/app/hook/deliveries", f"/app/hook/deliveries/{delivery}"):  # fmt: skip
        yield path, app.get(path)
    for path in ("", "/pulls", "/pulls/1", "/pulls/1/files", "/pulls/1/commits", f"/compare/main...{head}", f"/commits/{head}",
                 f"/commits/{head}/pulls", f"/commits/{head}/check-runs", f"/check-runs/{number}", f"/check-runs/{number}/annotations",
                 "/issues/1/comments", f"/issues/comments/{comment}", f"/issues/comments/{comment}/reactions", "/contents/app.py",
                 "/contents/docs", f"/git/trees/{head}", f"/git/blobs/{blob}", f"/git/commits/{head}", "/rules/branches/main",
                 "/branches/main", "/collaborators/dev/permission", "/environments", "/deployments"):  # fmt: skip
        yield path, ask.get(repo + path)
    for path in ("/installation/repositories", "/rate_limit", "/meta"):
        yield path, ask.get(path)


GITHUBS_OWN_FAULT = {
    ("/repos/{owner}/{repo}/check-runs", "None is not one of ['success'"),  # a run without a conclusion is not in the list
    ("/app/installations", "is a required property"),  # an account must be a user and an enterprise at once
    ("/repos/{owner}/{repo}/contents/{path}", "is not of type 'object'"),  # a list is to be told apart by its field `type`
    ("/meta", "1234567890 is not of type 'string'"),  # its example has numbers for texts
}


def _against(answer: httpx.Response) -> str | None:
    """What of an answer the description does not allow, or None."""
    if answer.status_code >= 300:
        return f"{answer.status_code} {answer.text[:200]}"
    template = template_of(answer.request.url.path.removeprefix("/api"))
    assert template
    described = description()["paths"][template][answer.request.method.lower()]["responses"][str(answer.status_code)]
    schema = described["content"]["application/json"]["schema"]
    validator = OAS30Validator(_absolute(schema), registry=_registry())
    excused = tuple(said for where, said in GITHUBS_OWN_FAULT if where == template)
    wrong = [e for e in validator.iter_errors(answer.json()) if not any(said in e.message for said in excused)]
    return "; ".join(f"{list(e.absolute_path)}: {e.message[:150]}" for e in wrong) or None


def _absolute(schema: Json) -> Json:
    return json.loads(json.dumps(schema).replace('"#/', '"urn:github#/'))


@cache
def _registry() -> Registry[Any]:
    whole = Resource.from_contents(description(), default_specification=DRAFT4)
    return Registry[Any]().with_resource("urn:github", whole)


def test_the_description_is_the_one_of_the_endpoints_that_the_app_uses() -> None:
    paths: Json = description()["paths"]

    assert len(paths) == 38
    assert "/repos/{owner}/{repo}/check-runs/{check_run_id}" in paths


def test_an_unknown_api_version_is_400(shop: Shop) -> None:
    with client(shop.github, token_of(shop.ask)) as ask:
        statuses = [
            ask.get("/repos/acme/shop", headers={"X-GitHub-Api-Version": v}).status_code
            for v in ("2022-11-28", "2026-03-10", "1999-01-01")
        ]

    assert statuses == [200, 200, 400]
