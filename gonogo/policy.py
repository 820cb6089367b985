"""The repository's own settings, `.github/gonogo.yml`: parsed from a mapping, every mistake reported at once."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, cast

from pydantic import BeforeValidator, Field, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from gonogo.acceptance import AcceptedHere
from gonogo.benchmark_setting import PATTERNS, Benchmark, Gate
from gonogo.errors import Mistake, WrongConfiguration
from gonogo.word import Word

Severity = Literal["high", "medium", "low"]

_OFF = ("off", False)
"""YAML 1.1 reads a bare `off` as false."""


class RuleSetting(Word):
    """What a repository makes of one rule: `high`, `medium`, `low`, or off with a reason."""

    severity: Literal["high", "medium", "low", "off"]
    """How its findings rank and are shown; never whether they block: only evidence does. `off`: they are not used."""
    reason: str = Field(default="", max_length=2000)
    """Why; needed for `off`."""

    @model_validator(mode="before")
    @classmethod
    def _written_short(cls, value: object) -> object:
        """`high`; `{severity: high}`; `{severity: off, reason: …}`; `{off: …}`."""
        if not isinstance(value, Mapping):
            return {"severity": "off" if value in _OFF else value}
        given = {**cast("Mapping[Any, Any]", value)}
        if "off" in given and "severity" not in given and "reason" not in given:
            return {"severity": "off", "reason": given["off"], **{k: v for k, v in given.items() if k != "off"}}
        if given.get("severity") is False:
            given["severity"] = "off"
        return given

    @model_validator(mode="after")
    def _off_with_a_reason(self) -> "RuleSetting":
        if self.severity == "off" and not self.reason.strip():
            raise PydanticCustomError("reason", "off needs a reason, as in: severity: off, reason: we drain it by hand")
        return self


def _listed(value: object) -> object:
    """One id stands for a list of it."""
    return (
        {k: [v] if isinstance(v, str) else v for k, v in cast("Mapping[Any, Any]", value).items()}
        if isinstance(value, Mapping)
        else value
    )


class Policy(Word):
    """What a repository may set. Everything has a default, so no file is needed."""

    repository: str | None = None
    """`owner/name`, when the remote does not say it."""
    production: str | None = None
    """A snapshot folder, `live` or `none`."""
    block_on: tuple[Literal["confirmed", "plausible"], ...] = ("confirmed",)
    """What makes a no-go: `[confirmed]`, or `[confirmed, plausible]`."""
    block_on_plausible: bool = False
    """The older way to write `block_on: [confirmed, plausible]`."""
    on_error: Literal["open", "closed"] = "open"
    """What the required check says when an evaluation could not be finished: `open` lets the pull request pass, `closed` does not."""
    shadow: bool = False
    """Report, and never block: for trying gonogo out."""
    live_gate: bool = False
    """An open incident, a ringing alarm or an unsettled deployment on what the change reaches is a no-go until it closes."""
    deadline: float | None = Field(default=None, ge=1, le=86400, allow_inf_nan=False)
    """Seconds that an evaluation may take; without it 150."""
    material_requests: float = Field(default=50, gt=0, allow_inf_nan=False)
    """Blocked requests from which on a lock is material."""
    resources: Annotated[Mapping[str, tuple[str, ...]], BeforeValidator(_listed)] = Field(default_factory=dict)
    """Path prefix or pattern → id of the resource that it belongs to, or a list of ids."""
    ignore: tuple[str, ...] = ()
    """Path patterns that never reach production."""
    rules: Mapping[str, RuleSetting] = Field(default_factory=dict)
    """Rule → `high`, `medium` or `low`, or off with a reason: `{severity: off, reason: …}`."""
    accept: tuple[AcceptedHere, ...] = ()
    """Findings that are taken as they are: `file`, `rule`, `reason`, optional `until` (a date), where a comment is impossible."""
    change_may_accept: bool = False
    """Whether a comment that the change itself writes lifts a confirmed trajectory; else only what stood at the base does."""
    benchmarks: tuple[Benchmark, ...] = ()
    """Benchmarks that are run on the branch and on its base after the verdict, each with its gates."""

    @model_validator(mode="before")
    @classmethod
    def _one_word_for_plausible(cls, values: object) -> object:
        """`block_on` and its older form always say the same."""
        if not isinstance(values, Mapping):
            return values
        given = {**cast("Mapping[Any, Any]", values)}
        if given.get("block_on_plausible") is True and "block_on" not in given:
            given["block_on"] = ("confirmed", "plausible")
        elif isinstance(given.get("block_on"), list | tuple) and "block_on_plausible" not in given:
            given["block_on_plausible"] = "plausible" in cast("list[object]", given["block_on"])
        return given

    @model_validator(mode="after")
    def _blocks_on_what_is_confirmed(self) -> "Policy":
        if "confirmed" not in self.block_on:
            raise PydanticCustomError("block_on", "'block_on' must hold confirmed; to report and never block, write shadow: true")
        if self.block_on_plausible != ("plausible" in self.block_on):
            raise PydanticCustomError("block_on", "'block_on' and 'block_on_plausible' say different things; keep 'block_on'")
        return self

    @property
    def switched_off(self) -> Mapping[str, str]:
        """The rules that are off → why."""
        return {rule: setting.reason.strip() for rule, setting in self.rules.items() if setting.severity == "off"}

    @property
    def accepted_everywhere(self) -> tuple[AcceptedHere, ...]:
        """What is off, in the words of `accept`: for who only marks findings."""
        return tuple(AcceptedHere(rule=rule, file="*", reason=why) for rule, why in self.switched_off.items())

    def severity_of(self, rule: str) -> Severity | None:
        """The severity that the repository gives a rule; None when it gives none, or switched it off."""
        setting = self.rules.get(rule)
        return setting.severity if setting is not None and setting.severity != "off" else None

    @staticmethod
    def from_mapping(values: object, *, source: str) -> "Policy":
        """Check a parsed file; every mistake in one CallError that names the file and the key."""
        try:
            return checked(values)
        except Mistaken as error:
            raise WrongConfiguration(source, [Mistake(None, message) for _, message in error.mistakes]) from error


class Mistaken(Exception):
    """What is wrong with values, each with its path from the top."""

    def __init__(self, mistakes: list[tuple[tuple[str | int, ...], str]]) -> None:
        self.mistakes = mistakes
        super().__init__("; ".join(message for _, message in mistakes))


def checked(values: object) -> Policy:
    """The policy, or `Mistaken` with everything that is wrong at once. A key without a value is as if it were not there."""
    if values is None:
        return Policy()
    if not isinstance(values, Mapping):
        raise Mistaken([((), f"expected a mapping of settings, found {type(values).__name__}")])
    given = {str(key): value for key, value in cast("Mapping[Any, Any]", values).items() if value is not None or key not in _KEYS}
    try:
        return Policy.model_validate(given)
    except ValidationError as error:
        said = {(tuple(e["loc"]), _explain(dict(e))): None for e in error.errors(include_url=False)}
        raise Mistaken(list(said)) from error


_KEYS = frozenset(Policy.model_fields)
_WORDS: Mapping[tuple[str, ...], type[Word]] = {
    (): Policy,
    ("benchmarks",): Benchmark,
    ("benchmarks", "gates"): Gate,
    ("accept",): AcceptedHere,
}
"""What stands where in the file."""

_SAID = {
    "missing": "is missing",
    "tuple_type": "must be a list",
    "mapping_type": "must be a mapping",
    "dict_type": "must be a mapping",
    "model_type": "must be a mapping",
    "string_type": "must be text",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "finite_number": "must be a finite number",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "string_too_short": "must not be empty",
}


def _explain(error: dict[str, Any]) -> str:
    path = tuple(part for part in error["loc"] if part != "[key]")
    where = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).removeprefix(".")
    kind, message = error["type"], error["msg"]
    if kind == "extra_forbidden":
        return f"'{where}' is not a setting{_meant(path)}"
    if kind == "string_pattern_mismatch":
        said = PATTERNS.get(error["ctx"]["pattern"], "is not of the form that is needed")
    else:
        said = _SAID.get(kind) or f"{message[0].lower()}{message[1:]}".replace("input should be", "must be", 1)
    return f"'{where}': {said}" if where else said


def _meant(path: tuple[str | int, ...]) -> str:
    """The settings that there are where this key stands, the nearest first."""
    from difflib import get_close_matches  # noqa: PLC0415  only for a mistake

    word = _WORDS.get(tuple(part for part in path[:-1] if isinstance(part, str)))
    known = sorted(word.model_fields) if word is not None else []
    close = get_close_matches(str(path[-1]), known, n=1)
    return (f"; did you mean {close[0]}?" if close else "") + (f" (known: {', '.join(known)})" if known else "")
