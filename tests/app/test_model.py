"""A model that does not answer: a new commit does not wait for it, and what it may have cost counts."""

import socket
import threading
from collections.abc import Generator

import pytest

from tests.app.watching import evaluations
from tests.github.story import DOCS

KEY = "sk-ant-test-key-of-nobody"


class SilentService:
    """Takes every connection and says nothing."""

    def __init__(self) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.connections: list[socket.socket] = []
        threading.Thread(target=self._take, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listening.getsockname()[1]}"

    def end(self) -> None:
        self._listening.close()
        for connection in self.connections:
            connection.close()

    def _take(self) -> None:
        while True:
            try:
                self.connections.append(self._listening.accept()[0])
            except OSError:
                return


@pytest.fixture
def silent() -> Generator[SilentService]:
    service = SilentService()
    yield service
    service.end()


def test_a_new_commit_does_not_wait_for_a_model_and_what_it_may_have_cost_counts(start_story, silent):
    pytest.importorskip("anthropic")
    settings = {
        "GONOGO_INVESTIGATOR": "auto",
        "ANTHROPIC_API_KEY": KEY,
        "ANTHROPIC_BASE_URL": silent.url,
        "GONOGO_DEADLINE": "90",
    }
    story = start_story(settings=settings)
    pull = story.open()
    story.until(lambda: silent.connections, "the model to be asked", within_s=60)
    first = story.check(pull)

    story.push(pull, DOCS, onto=pull.base_sha)  # a force push to documents alone: nothing to ask a model about
    story.until(lambda: first.status == "completed", "the first check to end", within_s=5)

    assert first.conclusion == "cancelled"
    check = story.wait_for_verdict(pull, within_s=150)
    assert check.conclusion == "success"
    cancelled, concluded = evaluations(story, pull)
    assert cancelled["outcome"] == "cancelled"
    assert cancelled["cost"] > 0
    assert concluded["outcome"] == "nothing"
    assert KEY not in story.site.logs()
