"""What an alarm watches and when it rings, read alike of the services that have alarms, and the alarms that a change removes.

CloudWatch, Prometheus rules, Datadog monitors, Google alert policies, Azure metric alerts and their kin; of a manifest's settings as
well as of live attributes, by the last part of their keys.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Declared
from gonogo.word import Json
from heuristics.code.word_sets import words
from heuristics.rule import RuleContext

ALARM_KIND = pattern(
    r"(?i).*(alarm|alert|prometheus_?rule|(?:datadog|newrelic|sysdig|signalfx)\.monitor|\.detector|nrql_alert\w*|rule_group)(?!.*channel).*"
)
_EXPRESSION = pattern(r"^(?P<watched>.+?)\s*(?P<operator>>=|<=|>|<)\s*(?:bool\s+)?(?P<limit>-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)\s*$")
_METRIC = words("metric_name metric filter metric_query")
_SPACE = words("namespace metric_namespace")
_QUERY = words("expr query expression nrql")
_LIMIT = words("threshold threshold_value")
_OPERATOR = words("comparison_operator comparison operator")
_STATISTIC = words("statistic extended_statistic aggregation aggregator per_series_aligner time_aggregation")
_PERIOD = words("period_s period window_size alignment_period window")
_TIMES = words("evaluation_periods datapoints_to_alarm")
_LASTS = words("for for_s duration pending_period")
_ACTIONS = words(
    "alarm_actions notification_channels action_group_id action_groups action_group_ids receivers contact_points message notifications"
)
_ON = words("actions_enabled enabled is_enabled")
_OFF = words("disabled is_paused paused muted silenced")
_ABOVE, _BELOW = pattern(r"(?i)great|above|_GT|_GE|^>|^gt|^ge|more"), pattern(r"(?i)less|below|_LT|_LE|^<|^lt|^le")
_SPAN = pattern(r"(?i)(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)?")
_UNITS = {"ms": 1e-3, "": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}


class Watch(Record):
    """One condition of an alarm. What was not said is None or empty."""

    metric: str
    """The metric with its namespace, or the query without the comparison, spelled without white space."""
    labels: frozenset[tuple[str, str]] | None
    """Dimensions; None where they were not to be read."""
    statistic: str
    threshold: float | None
    is_above: bool | None
    """Whether it rings above the threshold."""
    lasts_s: float | None
    """How long it must last until it rings."""
    actions: frozenset[str] | None
    is_on: bool
    limit_key: str = ""
    """The key of the threshold, to cite it by."""


class RemovedAlarm(Record):
    """An alarm that is declared at base and no more at head."""

    declared: Declared
    watches: tuple[Watch, ...]
    line: int
    """The base line of what goes."""
    is_part: bool = False
    """Whether other rules of the same declaration stay."""


def removed_alarms(context: RuleContext) -> tuple[RemovedAlarm, ...]:
    """Those that are not declared elsewhere instead, and whose subject does not go in the same change."""
    gone = [c.before for c in context.settings if c.key == "" and c.before is not None and c.after is None]
    alarms = [d for d in gone if ALARM_KIND.fullmatch(d.kind)]
    if any(not ALARM_KIND.fullmatch(d.kind) and not d.part_of and not _IS_AIDE.fullmatch(d.kind) for d in gone):
        return ()
    left = [d for d in context.declared["head"].resources if ALARM_KIND.fullmatch(d.kind)]
    whole = (
        RemovedAlarm(d, tuple(watches_of(_settings(d))), d.line)
        for d in alarms
        if not any(o.kind == d.kind and ((d.name is not None and o.name == d.name) or _same(o, d)) for o in left)
    )
    return (*whole, *_rules_removed(context, left))


def _rules_removed(context: RuleContext, left: Sequence[Declared]) -> Iterator[RemovedAlarm]:
    """Rules that go from a list of which others stay, and that no declaration of head has."""
    kept = {w.metric for d in left for w in watches_of(_settings(d))}
    seen: set[str] = set()
    for change in context.settings:
        before, after = change.before, change.after
        if before is None or after is None or not ALARM_KIND.fullmatch(before.kind) or before.address in seen:
            continue
        seen.add(before.address)
        lost = tuple(w for w in watches_of(_settings(before)) if w.metric not in kept)
        if lost and len(tuple(watches_of(_settings(after)))) < len(tuple(watches_of(_settings(before)))):
            setting = before.settings.get(lost[0].limit_key)
            yield RemovedAlarm(before, lost, setting.line if setting is not None else before.line, is_part=True)


_IS_AIDE = pattern(
    r"(?i).*(sns\.(topic|subscription|topic_policy)|logs\.\w*filter|dashboard|channel|contact|action_group|iam\.\w+)\w*"
)


def _same(one: Declared, other: Declared) -> bool:
    skipped = ("name", "alarm_name", "display_name", "description", "alarm_description")
    mine, theirs = ({k: (s.value, s.text) for k, s in d.settings.items() if k not in skipped} for d in (one, other))
    return bool(mine) and mine == theirs


def _settings(declared: Declared) -> dict[str, Json]:
    return {key: setting.value for key, setting in declared.settings.items()}


def watches_of(attributes: Mapping[str, Json]) -> Iterator[Watch]:
    """The conditions of an alarm: one, or one for each rule of a list."""
    flat = dict(_flat(attributes))
    groups: dict[str, dict[str, tuple[str, Json]]] = {}
    for key, value in flat.items():
        stem, _, last = key.rpartition(".")
        groups.setdefault(stem if last in _RULE_PARTS else "", {})[last] = (key, value)
    shared = groups.pop("", {})
    for own in [g for g in groups.values() if g] or [{}]:
        found = _watch({**shared, **own}, flat)
        if found is not None:
            yield found


_RULE_PARTS = _QUERY | _LIMIT | _LASTS | _OPERATOR | words("alert filter aggregation metric_name metric_namespace")


def _watch(said: Mapping[str, tuple[str, Json]], flat: Mapping[str, Json]) -> Watch | None:
    query = _text(said, _QUERY)
    split = _EXPRESSION.match(query.strip()) if query else None
    key, limit = _first(said, _LIMIT)
    threshold = _number(limit)
    if split is not None:
        metric, operator, threshold, key = (
            _bare(split["watched"]),
            split["operator"],
            float(split["limit"]),
            _first(said, _QUERY)[0],
        )
        labels: frozenset[tuple[str, str]] | None = frozenset()
    else:
        name = _text(said, _METRIC) or (query or "")
        if not name:
            return None
        metric, operator, labels = f"{_text(said, _SPACE)}|{_bare(name)}", _text(said, _OPERATOR), _labels(flat)
    lasts = _seconds(_first(said, _LASTS)[1])
    period, times = _seconds(_first(said, _PERIOD)[1]), _number(_first(said, _TIMES)[1])
    if period is not None:
        lasts = (lasts or 0.0) + period * (times or 1.0)
    is_above = True if _ABOVE.search(operator) else False if _BELOW.search(operator) else None
    is_on = all(_first(said, {k})[1] not in (False, "false") for k in _ON) and all(
        _first(said, {k})[1] not in (True, "true") for k in _OFF
    )
    return Watch(metric, labels, _text(said, _STATISTIC).lower(), threshold, is_above, lasts, _actions(flat), is_on, key)


def _flat(value: Json, path: str = "") -> Iterator[tuple[str, Json]]:
    if isinstance(value, Mapping):
        for key, one in cast("Mapping[str, Json]", value).items():
            yield from _flat(one, f"{path}.{key}" if path else str(key))
        return
    listed = _listed(value)
    if any(isinstance(one, Mapping) for one in listed):
        for at, one in enumerate(listed):
            yield from _flat(one, f"{path}.{at}")
    else:
        yield path, value


def _listed(value: Json) -> Sequence[Json]:
    return cast("Sequence[Json]", value) if isinstance(value, list | tuple) else ()


def _first(said: Mapping[str, tuple[str, Json]], names: frozenset[str] | set[str]) -> tuple[str, Json]:
    return next((said[n] for n in sorted(names) if n in said and said[n][1] is not None), ("", None))


def _text(said: Mapping[str, tuple[str, Json]], names: frozenset[str]) -> str:
    found = _first(said, names)[1]
    return found if isinstance(found, str) else ""


def _bare(text: str) -> str:
    return re.sub(r"\s+", "", text)


def _number(value: Json) -> float | None:
    try:
        return float(value) if isinstance(value, int | float | str) and not isinstance(value, bool) else None
    except ValueError:
        return None


def _seconds(value: Json) -> float | None:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    text = str(value or "").strip().removeprefix("PT").removeprefix("last_")
    found = _SPAN.fullmatch(text)
    return float(found[1]) * _UNITS[(found[2] or "").lower()] if found is not None else None


def _labels(flat: Mapping[str, Json]) -> frozenset[tuple[str, str]] | None:
    found: dict[str, str] = {}
    names = {k: v for k, v in flat.items() if "dimension" in k.lower()}
    for key, value in names.items():
        last = key.rpartition(".")[2]
        if last.lower() == "name":
            continue
        if last.lower() == "value":
            last = str(names.get(f"{key.rpartition('.')[0]}.Name") or names.get(f"{key.rpartition('.')[0]}.name") or "")
        if value is None:
            return None
        found[re.sub(r"[^a-z]", "", last.lower())] = str(value)
    return frozenset(found.items())


def _actions(flat: Mapping[str, Json]) -> frozenset[str] | None:
    found: set[str] = set()
    is_said = False
    for key, value in flat.items():
        if not any(part in _ACTIONS for part in key.split(".")):
            continue
        is_said = True
        for one in _listed(value) if isinstance(value, list | tuple) else (value,):
            text = str(one)
            found.update(re.findall(r"@[\w.-]+", text) if "@" in text and key.endswith("message") else [text])
    return frozenset(found) if is_said else None
