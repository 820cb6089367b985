"""What a flag service serves in production: the state that every evaluation gives, whatever the program falls back to without the service."""

from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from bot.investigator.asking import Reading, config, statistic_reading
from bot.investigator.case import Case
from bot.investigator.facts.traffic import dimensions_of
from gonogo.evidence import ConfigEvidence, Evidence
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Resource
from heuristics.limits.changed import normal_name

_KINDS = pattern(r"(?i).*(flag|feature|toggle|experiment|unleash|launchdarkly|growthbook|statsig|flipt|flipper).*")
_FLAG_KEYS = pattern(r"(?i)(feature_?)?(flag|toggle|feature|experiment)([_.]?(key|name|id))?|key|name")
_STATE_KEYS = pattern(r"(?i)enabled|value|variant|variation|result|state|treatment|outcome|yes")
_EVALUATED = pattern(r"(?i).*(flag|feature|toggle|unleash|launchdarkly|experiment|variation).*")
_GONE = ("archived", "is_archived", "deprecated", "deleted")
_OF_ALL = (
    "rollout", "rollout_percent", "rollout_percentage", "percentage", "percent", "percentage_of_time", "traffic_allocation", "traffic", "gradual_rollout",
)  # fmt: skip
_STATES = ("enabled", "is_enabled", "on", "state", "status", "default_enabled")
_SERVED = ("fallthrough", "default_variant", "default_variation", "default_treatment", "default_value", "default_rule", "serve")
_RULES = ("constraints", "segments", "rules", "targets", "prerequisites", "targeting", "overrides")
_ON = frozenset({"true", "on", "enabled", "active", "yes", "1", "live", "fully_on"})
_OFF = frozenset({"false", "off", "disabled", "inactive", "no", "0", "killed"})


class Served(Record):
    """The one state that everyone gets, with what says so."""

    name: str
    is_on: bool
    said: str
    cited: tuple[Evidence | Reading, ...]


def served(case: Case, program: Resource | None, names: Iterable[str]) -> Served | None:
    """What production serves of a flag to everyone; None when it serves some only, or when nothing says so."""
    wanted = {normal_name(name) for name in names if len(name) > 2}
    for flag in case.production.resources:
        if _KINDS.fullmatch(flag.kind) and normal_name(flag.name) in wanted:
            return _of_flag(case, flag)
    return _of_evaluations(case, program, wanted)


# -- the flag itself ---------------------------------------------------------------------------------------


def _of_flag(case: Case, flag: Resource) -> Served | None:
    if any(_state(flag.attributes.get(key)) for key in _GONE):
        return None
    switch = next((c for key in _STATES if (c := config(case, flag.id, key)) is not None), None)
    state = _state(switch.value) if switch is not None else None
    if switch is not None and state is False:
        return Served(flag.name, is_on=False, said=f"`{flag.name}` is off in production", cited=(switch,))
    serving = next((c for key in _SERVED if (c := config(case, flag.id, key)) is not None), None)
    given = _state(serving.value) if serving is not None else state
    if given is None or (switch is not None and state is None) or not _reaches_all(flag.attributes):
        return None
    cited: list[ConfigEvidence] = [c for c in (switch, serving, config(case, flag.id, "strategies", *_OF_ALL)) if c is not None]
    said = f"`{flag.name}` is {'on' if given else 'off'} for everyone in production"
    return Served(flag.name, is_on=given, said=said, cited=tuple(cited))


def _reaches_all(attributes: Mapping[str, object]) -> bool:
    """Whether no share and no rule of the flag leaves anybody out."""
    if any(attributes.get(key) for key in _RULES):
        return False
    share = next((attributes[key] for key in _OF_ALL if key in attributes), None)
    if share is not None and not _is_whole(share):
        return False
    strategies = attributes.get("strategies")
    if not isinstance(strategies, list | tuple) or not strategies:
        return True
    return any(
        isinstance(one, Mapping) and _reaches(cast("Mapping[str, object]", one)) for one in cast("Sequence[object]", strategies)
    )


def _reaches(strategy: Mapping[str, object]) -> bool:
    inner = strategy.get("parameters")
    every = {**strategy, **(cast("Mapping[str, object]", inner) if isinstance(inner, Mapping) else {})}
    if any(every.get(key) for key in _RULES) or every.get("disabled") is True:
        return False
    shares = [every[key] for key in _OF_ALL if key in every]
    return (
        all(_is_whole(one) for one in shares) if shares else str(every.get("name", "")).lower() in ("default", "all", "everyone")
    )


def _is_whole(share: object) -> bool:
    text = str(share).strip().removesuffix("%")
    return text in ("100", "100.0")


def _state(value: object) -> bool | None:
    text = str(value).strip().lower()
    return True if text in _ON else False if text in _OFF else None


# -- evaluations that were counted ---------------------------------------------------------------------------


def _of_evaluations(case: Case, program: Resource | None, wanted: set[str]) -> Served | None:
    """The state that every counted evaluation of the window gave."""
    most: dict[bool, list[Reading]] = {True: [], False: []}
    name = ""
    for series in case.production.series_of(program.id) if program is not None else ():
        metric, brace, _ = series.metric.partition("{")
        if not brace or not _EVALUATED.fullmatch(metric):
            continue
        labels = dimensions_of(series.metric)
        flags = [v for k, v in labels.items() if _FLAG_KEYS.fullmatch(k) and normal_name(v) in wanted]
        states = [s for k, v in labels.items() if _STATE_KEYS.fullmatch(k) and (s := _state(v)) is not None]
        peak = statistic_reading(series, "max")
        if flags and len(states) == 1 and peak is not None:
            name = flags[0]
            most[states[0]].append(peak)
    for state in (True, False):
        if any(r.value > 0 for r in most[state]) and not any(r.value > 0 for r in most[not state]):
            said = f"every evaluation of `{name}` in the window gave {'on' if state else 'off'}"
            return Served(name, is_on=state, said=said, cited=(*most[state][:1], *most[not state][:1]))
    return None
