"""The `claude` investigator: the playbooks first, always; then a model over the same facts; then both as claims.

Whatever the model does, the playbooks' result stands. What conversations that came to an end handed over is added to it.
"""

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import field, replace
from pathlib import Path

from bot.investigator.admitting import admitted, with_additions
from bot.investigator.case import Case
from bot.investigator.conversation import Conversation, Model, Reply, ToolCall, ToolResult
from bot.investigator.desk import Desk, Sources
from bot.investigator.drafts import Drafts
from bot.investigator.journal import WRITES, evaluation_id, journaled
from bot.investigator.loop import FINISHED, Ended, Investigation, investigate, shares_of
from bot.investigator.prompts.first_message import ALONE, BROAD, first_message, focus
from bot.investigator.rules import Outcome
from bot.investigator.rules import investigate as investigate_by_rules
from bot.investigator.spending import Spending
from bot.investigator.tools.registry import run, tool_infos
from gonogo.budget import StepBudget
from gonogo.context import Gap
from gonogo.evaluation import ModelUse
from gonogo.evidence import FileEvidence
from gonogo.record import Record
from gonogo.trajectory import Trajectory

_MOST_CONVERSATIONS = 4
_STEPS_EACH = 6
"""Steps that a conversation should have, before there is another one beside it."""
_GRACE_S = 1.0
"""How long the thread of the conversations may take to end after its deadline, before it is left behind."""


class Assistance(Record, frozen=False):
    """What the investigator works with: a model, how much it may take, where answers are kept."""

    make_model: Callable[[Spending], Model]
    model: str
    small_model: str
    budget: StepBudget
    spending: Spending = field(default_factory=Spending)
    journal: Path | None = None

    def investigate(self, case: Case) -> Outcome:
        """Claims of the playbooks and of the model. Blocks until both are done or time is over; never raises for the model."""
        outcome = investigate_by_rules(case)
        if case.before is not None and not any(case.is_new(f.path) for f in case.diff.changes.files):
            use = ModelUse(id=self.model, small_id=self.small_model)
            return replace(
                outcome, model=use, investigator="claude"
            )  # a model has looked at all of it, and nothing is asked twice
        case.asked.clear()
        work = _Work(self, case.with_candidates(outcome.claims))
        thread = threading.Thread(target=work.run, name="conversations", daemon=True)
        thread.start()
        thread.join(self.budget.seconds_left() + _GRACE_S)  # a name look-up or a thread that hangs holds nobody up
        return work.outcome(outcome)


class _Work:
    """One run of the conversations: it can be looked at while it goes on."""

    def __init__(self, assistance: Assistance, case: Case) -> None:
        self._assistance, self._case = assistance, case
        self._done = Investigation()
        self._error: str = ""
        self._opening = first_message(case)
        self._conversations = planned(case, self._opening, assistance)
        self._sources = Sources(case)
        self._desks = {c.name: Desk(case, Drafts(), sources=self._sources) for c in self._conversations}

    def run(self) -> None:
        """All of it, in an event loop of its own."""
        try:
            asyncio.run(self.converse())
        except Exception as error:  # noqa: BLE001  whatever the model's side does, the playbooks' result stands
            self._error = f"{type(error).__name__}: {error}"

    async def converse(self) -> None:
        """Begin all conversations at once, and see them to their ends."""
        a = self._assistance
        changes = self._case.diff.changes
        name = evaluation_id(changes.repository, changes.base, changes.head, str(self._case.production.read_at), self._opening)
        model = a.make_model(a.spending)
        kept = journaled(a.journal, name, ask=model.ask, run=self._run_tool, steps=a.budget.steps_limit)
        async with _open(model), kept as (ask_once, run_once):

            async def ask_counted(conversation: Conversation, *, budget_line: str, is_last: bool) -> Reply:
                reply = await ask_once(conversation, budget_line=budget_line, is_last=is_last)
                a.spending.count(conversation.model, reply.usage)
                return reply

            await investigate(self._conversations, ask=ask_counted, run_tool=run_once, budget=a.budget, into=self._done)

    def _run_tool(self, conversation: Conversation, call: ToolCall) -> ToolResult:
        return run(call, self._desks[conversation.name])

    def outcome(self, rules: Outcome) -> Outcome:
        """The playbooks' claims with what finished conversations add, and a gap when not all of them finished."""
        a, done = self._assistance, self._done
        self._sources.close()
        finished = [n for n in self._desks if (e := done.ended.get(n)) is not None and e.end in FINISHED]
        desks = [self._desks[name] for name in finished]
        claims = rules.claims
        asked = {c.name: asked_in(c) for c in self._conversations}
        for name in finished:
            claims = with_additions(claims, self._desks[name].drafts.added, asked[name])
        own = [t for name in finished for t in admitted(self._desks[name].drafts, self._case, asked[name])]
        gaps = [*rules.gaps]
        why = self._unfinished(finished)
        if why:
            gaps.append(Gap(stage="trajectories", what="the model's investigation", why=f"{why}; the playbooks' result stands"))
        return Outcome(
            claims=(*claims, *_distinct(own)),
            failures=rules.failures,
            gaps=tuple(gaps),
            steps_used=done.steps_used,
            citations_refused=sum(desk.drafts.refused for desk in desks),
            model=ModelUse(
                id=a.model,
                small_id=a.small_model,
                input_tokens=a.spending.input_tokens,
                output_tokens=a.spending.output_tokens,
                cost=round(a.spending.cost, 6),
            ),
            investigator="claude" if done.steps_used else "rules",
            is_whole=not why,
        )

    def _unfinished(self, finished: list[str]) -> str:
        missing = [self._done.ended.get(name) or Ended(name, "out of time", "the deadline came first") for name in self._desks if name not in finished]  # fmt: skip
        if self._error:
            return self._error
        if not missing:
            return ""
        first = missing[0]
        count = f"{len(missing)} of {len(self._desks)} conversations did not finish: " if len(self._desks) > 1 else ""
        return f"{count}{first.end} ({first.why})"


def planned(case: Case, opening: str, assistance: Assistance) -> list[Conversation]:
    """One conversation about what was missed, and beside it one for each open trajectory, as far as steps reach."""
    open_ones = [at for at, t in enumerate(case.candidates) if any(link.question for link in t.links) and _is_new(t, case)]
    room = min(_MOST_CONVERSATIONS, max(1, assistance.budget.steps_limit // _STEPS_EACH)) - 1
    chosen = open_ones[:room]
    shares = shares_of(assistance.budget.steps_limit, 1 + len(chosen))
    tasks: Mapping[str, str] = {"broad": BROAD if chosen else ALONE, **{f"R{at + 1}": focus(at) for at in chosen}}
    return [
        Conversation(name, step_model(name, assistance), _system(), tool_infos(), (opening, task), steps)
        for (name, task), steps in zip(tasks.items(), shares, strict=True)
    ]


def _is_new(trajectory: Trajectory, case: Case) -> bool:
    """Whether it starts from a file that no model has looked at yet; one that starts from no file may."""
    files = [e.file for link in trajectory.links[:1] for e in link.evidence if isinstance(e, FileEvidence)]
    return not files or any(case.is_new(file) for file in files)


def asked_in(conversation: Conversation) -> tuple[str, ...]:
    """The queries of a conversation as its answers state them, in the order of its calls: the same on every run."""
    answers = [
        result.content
        for turn in conversation.turns
        for call, result in zip(turn.reply.calls, turn.results, strict=True)
        if call.name not in WRITES
    ]
    found = [line.removeprefix("query: ") for text in answers for line in text.split("\n")[:3] if line.startswith("query: ")]
    return tuple(dict.fromkeys(found))


def step_model(conversation: str, assistance: Assistance) -> str:
    """The small model answers single questions; the other one looks for what was missed."""
    return assistance.model if conversation == "broad" else assistance.small_model


def _system() -> str:
    return (Path(__file__).parent / "prompts" / "system.md").read_text(encoding="utf-8")


def _distinct[T](claims: list[T]) -> list[T]:
    return [c for at, c in enumerate(claims) if c not in claims[:at]]


@asynccontextmanager
async def _open(model: Model) -> AsyncGenerator[None]:
    try:
        yield
    finally:
        await model.close()
