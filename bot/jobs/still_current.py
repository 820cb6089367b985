"""Looks at GitHub once more right before something is written about a pull request."""

from bot.github.client import RepositoryClient
from bot.jobs.begin import begin
from bot.jobs.facts import seen_pull_request
from bot.jobs.ports import Ports
from bot.storage.app_rows import EvaluationRow
from gonogo.forge import PullRequestFacts


async def still_current(ports: Ports, forge: RepositoryClient, evaluation: EvaluationRow) -> PullRequestFacts | None:
    """The pull request, when its head and base are those that were evaluated; else None, and what is there now is evaluated.

    An answer that is older than what an event has told already changes nothing: then the evaluation stands.
    """
    assert evaluation.number is not None
    facts = await forge.pull_request(evaluation.number)
    row = await ports.stored(ports.store.see_pull_request, seen_pull_request(facts, now=ports.clock()))
    if facts.state == "closed" or (facts.head_sha, facts.base_ref) == (evaluation.head_sha, evaluation.base_ref):
        return facts
    raised = await begin(ports, row, trigger="head moved", unless_known=True)
    return facts if raised.evaluation.id == evaluation.id else None
