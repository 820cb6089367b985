"""What a GitHub workflow says of its own `gonogo check`: one comment, one status, by the workflow's token. `action.yml` calls it.

`pull-request FILE` writes the event's pull request for `--pr` and prints its base and head; `verdict STATUS COMMENT SAID` publishes.
"""

import json
import os
import sys
from collections.abc import Iterator, Mapping
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from gonogo.errors import CallError

CONTEXT = "gonogo"
_SAID: Mapping[int, tuple[str, str, str]] = {
    0: ("go", "success", "go"),
    1: ("no-go", "failure", "no-go: see the comment"),
}
_UNFINISHED = ("could-not-evaluate", "error", "could not evaluate: see the comment")
_PAGE = 100
_TIMEOUT_S = 10


class Workflow:
    """The pull request that a workflow runs for, and GitHub as the workflow's token may use it."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        path = environment.get("GITHUB_EVENT_PATH") or ""
        try:
            event: dict[str, Any] = json.loads(Path(path).read_text(encoding="utf-8"))
            self.pull_request: dict[str, Any] = event["pull_request"]
        except (OSError, ValueError, KeyError) as error:
            raise CallError("this workflow was not started by a pull request; use it with: on: pull_request") from error
        self._api = (environment.get("GITHUB_API_URL") or "https://api.github.com").rstrip("/")
        self._repository = environment.get("GITHUB_REPOSITORY") or ""
        self._token = environment.get("GONOGO_TOKEN") or ""
        self._login = environment.get("GONOGO_ACTION_LOGIN") or "github-actions[bot]"
        server, run = environment.get("GITHUB_SERVER_URL") or "https://github.com", environment.get("GITHUB_RUN_ID")
        self._page = f"{server}/{self._repository}/actions/runs/{run}" if run else None

    @property
    def number(self) -> int:
        """Of the pull request."""
        return int(self.pull_request["number"])

    @property
    def head_sha(self) -> str:
        """The commit that was evaluated."""
        return str(self.pull_request["head"]["sha"])

    def facts(self) -> dict[str, Any]:
        """The pull request as `--pr` takes it."""
        of = self.pull_request
        return {
            "title": of.get("title") or "",
            "body": of.get("body") or "",
            "author": _login_of(of),
            "base_branch": of["base"]["ref"],
            "repository": self._repository,
            "number": self.number,
        }

    def comment(self, text: str) -> None:
        """Our one comment says this: edited in place when it is there."""
        marker = f"<!-- gonogo:{self.number} -->"
        body = {"body": f"{text.rstrip()}\n\n{marker}\n"}
        if found := self._own_comment(marker):
            self._ask("PATCH", f"/issues/comments/{found}", body)
            return
        try:
            self._ask("POST", f"/issues/{self.number}/comments", body)
        except (HTTPError, URLError, HTTPException, ConnectionError, TimeoutError) as error:
            if isinstance(error, HTTPError) and error.code < 500:
                raise
            if not self._own_comment(marker):  # it may have been written all the same: look before trying again
                self._ask("POST", f"/issues/{self.number}/comments", body)

    def status(self, state: str, description: str) -> None:
        """The commit's status named `gonogo`."""
        body = {"state": state, "context": CONTEXT, "description": description[:140]}
        self._ask("POST", f"/statuses/{self.head_sha}", body | ({"target_url": self._page} if self._page else {}))

    def _own_comment(self, marker: str) -> int | None:
        """The id of the comment with our marker that this workflow's own account wrote; anybody can write the marker."""
        return next(
            (int(one["id"]) for one in self._comments() if marker in (one.get("body") or "") and _login_of(one) == self._login),
            None,
        )

    def _comments(self) -> Iterator[dict[str, Any]]:
        for page in range(1, 101):
            found = self._ask("GET", f"/issues/{self.number}/comments?per_page={_PAGE}&page={page}")
            yield from found
            if len(found) < _PAGE:
                return

    def _ask(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        request = Request(  # noqa: S310  the address of GitHub's API, from the runner
            f"{self._api}/repos/{self._repository}{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={
                "Authorization": f"Bearer {self._token}",
                "Accept": "application/vnd.github+json",
                "Content-Type": "application/json",
                "User-Agent": "gonogo",
            },
        )
        with urlopen(request, timeout=_TIMEOUT_S) as answer:  # noqa: S310  as above
            return json.load(answer)


def _login_of(written: Mapping[str, Any]) -> str:
    user: dict[str, Any] = written.get("user") or {}
    return str(user.get("login") or "")


def publish(workflow: Workflow, status: int, comment: str, said: str, environment: Mapping[str, str]) -> int:
    """Comment, status, summary and output; what GitHub refuses is a warning, and the step ends with the evaluation's own status."""
    verdict, state, description = _SAID.get(status, _UNFINISHED)
    text = comment.strip() or f"## ⚪ Could not evaluate\n\n```\n{said.strip()[-4_000:].replace('```', '')}\n```"
    _append(environment.get("GITHUB_STEP_SUMMARY"), text)
    _append(environment.get("GITHUB_OUTPUT"), f"verdict={verdict}")
    for what, write in (
        ("comment", lambda: workflow.comment(text)),
        ("status", lambda: workflow.status(state, description)),
    ):
        try:
            write()
        except HTTPError as error:
            hint = "; a fork's token may only read" if error.code in (401, 403, 404) else ""
            print(f"::warning::gonogo: the {what} was not written: GitHub answered {error.code}{hint}")  # noqa: T201
        except (URLError, HTTPException, ConnectionError, TimeoutError) as error:
            print(f"::warning::gonogo: the {what} was not written: {type(error).__name__}")  # noqa: T201
    return status


def _append(path: str | None, text: str) -> None:
    if path:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(f"{text}\n")


def main(arguments: list[str], environment: Mapping[str, str]) -> int:
    """2 when the call is wrong; else what the step ends with."""
    try:
        workflow = Workflow(environment)
        match arguments:
            case ["pull-request", file]:
                Path(file).write_text(json.dumps(workflow.facts()), encoding="utf-8")
                print(workflow.pull_request["base"]["sha"], workflow.head_sha)  # noqa: T201
                return 0
            case ["verdict", status, comment, said]:
                return publish(workflow, int(status), _text(comment), _text(said), environment)
            case _:
                wrong = "call it as: pull-request FILE, or: verdict STATUS COMMENT SAID"
    except CallError as error:
        wrong = str(error)
    print(f"gonogo: {wrong}", file=sys.stderr)  # noqa: T201
    return 2


def _text(path: str) -> str:
    return Path(path).read_text(encoding="utf-8", errors="replace")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], os.environ))
