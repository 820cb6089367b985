"""What a model costs: tokens and money counted, and both capped. Prices are the list prices of the provider's pricing page."""

import json
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from threading import Lock

from bot.investigator.conversation import Usage
from gonogo.errors import BudgetSpent, CallError
from gonogo.record import Record

DEFAULT_MAX_TOKENS = 600_000
DEFAULT_MAX_COST = 1.0
CHARACTERS_A_TOKEN = 2.5
"""For an estimate that is rather too high than too low."""


class Price(Record):
    """US dollars for a million tokens; a cache entry of five minutes costs 1.25 times its input."""

    input: float
    output: float
    cache_read: float


PRICES: Mapping[str, Price] = {
    "claude-fable-5": Price(10, 50, 1.0),
    "claude-mythos": Price(25, 125, 2.5),
    "claude-opus-5-5": Price(4, 20, 0.2),
    "claude-opus-5": Price(5, 25, 0.5),
    "claude-opus-4-1": Price(15, 75, 1.5),
    "claude-opus-4": Price(5, 25, 0.5),
    "claude-sonnet-5": Price(2, 10, 0.2),
    "claude-sonnet-4": Price(3, 15, 0.3),
    "claude-haiku-5-5": Price(1, 5, 0.1),
    "claude-haiku-4-5": Price(1, 5, 0.1),
}
"""Beginning of a model id → price; the longest one counts. https://platform.claude.com/docs/en/about-claude/pricing"""

_DEAREST = Price(25, 125, 2.5)
"""Of a model that the table does not know: its cost is counted too high rather than not at all."""


def price_of(model: str) -> Price:
    """The price of a model id."""
    known = [name for name in PRICES if model.startswith(name)]
    return PRICES[max(known, key=len)] if known else _DEAREST


class Spending(Record, frozen=False):
    """What one evaluation has spent. Nothing is asked that might carry it over a cap."""

    max_tokens: int = DEFAULT_MAX_TOKENS
    max_cost: float = DEFAULT_MAX_COST
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0
    largest_input: int = 0
    """Of one answer so far: the next one reads no less."""
    reserved_tokens: int = 0
    reserved_cost: float = 0.0
    noted_in: Path | None = None
    """A file that gets a line, `[dollars, input tokens, output tokens]`, for all that is paid, and for what a request may cost as long
    as it is under way: who ends this process in the middle still knows what it cost at most."""
    lock: Lock = field(default_factory=Lock, repr=False)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> "Spending":
        """`GONOGO_MAX_TOKENS` and `GONOGO_MAX_COST` (US dollars) of one evaluation; CallError for what is no number.

        `GONOGO_SPENDING_FILE` is where each answer's price is noted.
        """
        tokens = _number(environment, "GONOGO_MAX_TOKENS", DEFAULT_MAX_TOKENS)
        noted_in = environment.get("GONOGO_SPENDING_FILE")
        return cls(
            max_tokens=int(tokens),
            max_cost=_number(environment, "GONOGO_MAX_COST", DEFAULT_MAX_COST),
            noted_in=Path(noted_in) if noted_in else None,
        )

    def reserve(self, model: str, *, characters: int, max_output: int) -> tuple[int, float]:
        """Set aside the most that a request may cost. Raises BudgetSpent, before anything is paid, where a cap is in its way."""
        price = price_of(model)
        input_tokens = max(int(characters / CHARACTERS_A_TOKEN), self.largest_input)
        tokens = input_tokens + max_output
        cost = (input_tokens * price.input * 1.25 + max_output * price.output) / 1e6
        with self.lock:
            spent = self.input_tokens + self.output_tokens + self.reserved_tokens
            if spent + tokens > self.max_tokens:
                raise BudgetSpent(f"{spent:,} tokens are spent and the next step may take {tokens:,}; the cap is {self.max_tokens:,} (GONOGO_MAX_TOKENS)")  # fmt: skip
            if self.cost + self.reserved_cost + cost > self.max_cost:
                raise BudgetSpent(f"{self.cost + self.reserved_cost:.2f} dollars are spent and the next step may take {cost:.2f}; the cap is {self.max_cost:g} (GONOGO_MAX_COST)")  # fmt: skip
            self.reserved_tokens += tokens
            self.reserved_cost += cost
            self._note(cost)
        return tokens, cost

    def release(self, reserved: tuple[int, float]) -> None:
        """Give back what was set aside: the request has ended."""
        with self.lock:
            self.reserved_tokens -= reserved[0]
            self.reserved_cost -= reserved[1]
            self._note(-reserved[1])

    def count(self, model: str, usage: Usage) -> None:
        """Add what an answer took."""
        price = price_of(model)
        paid = usage.input_tokens * price.input + usage.cache_write_tokens * price.input * 1.25
        read = usage.total - usage.output_tokens
        cost = (paid + usage.cache_read_tokens * price.cache_read + usage.output_tokens * price.output) / 1e6
        with self.lock:
            self.input_tokens += read
            self.largest_input = max(self.largest_input, read)
            self.output_tokens += usage.output_tokens
            self.cost += cost
            self._note(cost, read, usage.output_tokens)

    def _note(self, cost: float, input_tokens: int = 0, output_tokens: int = 0) -> None:
        if self.noted_in is not None:
            with self.noted_in.open("a", encoding="utf-8") as file:
                file.write(json.dumps([cost, input_tokens, output_tokens]) + "\n")


def _number(environment: Mapping[str, str], name: str, default: float) -> float:
    text = environment.get(name, "").strip()
    if not text:
        return default
    try:
        value = float(text.replace("_", ""))
    except ValueError:
        value = -1
    if not 0 <= value < 1e12:
        raise CallError(f"{name}={text}: a number of at least 0 is wanted")
    return value
