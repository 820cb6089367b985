"""Carries out commands of people who may write: a reaction when it is done, a reply when there is something to say."""

from datetime import datetime, timedelta
from typing import Literal

from bot.jobs.begin import begin
from bot.jobs.benchmarking import NOT_SET_UP, begin_benchmark
from bot.jobs.commands import Command, NotUnderstood, Verb
from bot.jobs.ports import Ports
from bot.jobs.taking import take
from bot.storage.app_publication_rows import OutboxKind
from bot.storage.app_rows import Because, EvaluationState, PullRequestRow, RepositoryRow
from gonogo.forge import Reaction
from gonogo.record import Record
from gonogo.word import Json

MOST_REPLIES = 5
"""Comments that commands on one pull request get within an hour; what is asked beyond that gets a reaction."""
_SECOND = timedelta(seconds=1)
"""GitHub's times have no fractions."""
_WRITTEN_IN_TIME = timedelta(minutes=1)
"""A command to cancel may be written before we hear of the push that it is about, and clocks differ."""


class Asked(Record):
    """Where a command was given, by whom, and when as far as that is known."""

    ports: Ports
    pull_request: PullRequestRow
    repository: RepositoryRow
    login: str
    comment_id: int
    at: datetime | None = None

    async def is_done(self) -> bool:
        """Whether this very comment was obeyed before: GitHub and whoever has a copy may send it again, under another number."""
        rows = await self.ports.stored(self.ports.store.audited, subject=self.pull_request.subject, limit=1_000)
        return any(row.detail.get("comment") == self.comment_id for row in rows)

    async def react(self, content: Reaction) -> None:
        """Show at the comment that it was seen or done."""
        await self._answer(OutboxKind.REACTION, {"content": content})

    async def reply(self, text: str) -> None:
        """Say something in a comment of its own; with a reaction when much was said already."""
        await self._in_words({"text": text})

    async def explain(self, evaluation_id: str) -> None:
        """Reply with how the verdict came about; the text is made when it is written."""
        await self._in_words({"explain": evaluation_id})

    async def _in_words(self, what: dict[str, Json]) -> None:
        if not await self._answer(OutboxKind.REPLY, what, most_an_hour=MOST_REPLIES):
            await self.react("confused")

    async def _answer(self, kind: OutboxKind, what: dict[str, Json], *, most_an_hour: int | None = None) -> bool:
        return await self.ports.stored(
            self.ports.store.ask_answer,
            kind,
            str(self.comment_id),
            what | {"number": self.pull_request.number, "comment_id": self.comment_id},
            subject=self.pull_request.subject,
            repository_id=self.repository.id,
            installation_id=self.repository.installation_id,
            most_an_hour=most_an_hour,
        )


async def not_understood(
    ports: Ports, row: PullRequestRow, repository: RepositoryRow, said: NotUnderstood, *, comment_id: int
) -> None:
    """Say how it is written."""
    asked = Asked(ports, row, repository, "", comment_id)
    await asked.react("confused")
    await asked.reply(f"Not understood: {said.why}.")


async def carry_out(asked: Asked, command: Command, *, guid: str) -> None:
    """Do what was asked for, once; audited."""
    if await asked.is_done():
        return
    match command.verb:
        case Verb.EVALUATE:
            await _evaluate(asked, guid)
        case Verb.CANCEL:
            await _cancel(asked)
        case Verb.EXPLAIN:
            await _explain(asked)
        case Verb.ACK:
            await _ack(asked, command)
        case Verb.BENCH:
            head = asked.pull_request.head_sha
            if not await begin_benchmark(asked.ports, asked.repository, head_sha=head, login=asked.login, key=guid):
                await asked.reply(NOT_SET_UP)


async def _evaluate(asked: Asked, guid: str) -> None:
    if asked.pull_request.state == "closed":
        await asked.reply("This pull request is closed, so there is nothing to evaluate.")
        return
    await begin(asked.ports, asked.pull_request, trigger="command", delivery=guid)
    await _note(asked, "evaluate")
    await asked.react("eyes")


async def _cancel(asked: Asked) -> None:
    newest = await asked.ports.stored(asked.ports.store.newest, asked.pull_request.subject)
    if newest is not None and asked.at is not None and asked.at + _WRITTEN_IN_TIME < newest.created_at:
        await asked.reply("What is evaluated now began after this comment, so it goes on.")
        return
    ended = await asked.ports.stored(
        asked.ports.store.cancel, asked.pull_request.subject, Because.COMMAND, f"{asked.login} cancelled it"
    )
    await _note(asked, "cancel")
    if ended:
        await asked.react("+1")
    else:
        await asked.reply("Nothing is being evaluated, so there is nothing to cancel.")


async def _explain(asked: Asked) -> None:
    newest = await asked.ports.stored(asked.ports.store.newest, asked.pull_request.subject)
    if newest is None or newest.state is not EvaluationState.CONCLUDED:
        await asked.reply("There is no verdict on the newest commit yet.")
    else:
        await asked.explain(newest.id)


async def _ack(asked: Asked, command: Command) -> None:
    why_not = await take(
        asked.ports,
        asked.pull_request,
        trajectory=command.trajectory,
        reason=command.reason,
        login=asked.login,
        is_meant=lambda newest: asked.at is None or asked.at + _SECOND > newest.created_at,
    )
    if why_not is None:
        await asked.react("+1")
    else:
        await asked.reply(f"Not acknowledged: {why_not}.")


async def _note(asked: Asked, action: Literal["evaluate", "cancel"]) -> None:
    await asked.ports.stored(
        asked.ports.store.audit,
        login=asked.login,
        action=action,
        subject=asked.pull_request.subject,
        repository_id=asked.repository.id,
        detail={"comment": asked.comment_id},
    )
