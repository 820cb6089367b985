"""Requests and answers as JSON, for the warm worker and for HTTP alike. Nothing that is decoded can execute anything.

An array is written as nested lists with null for NaN, or packed: `{"shape": [2, 3], "float64": "<base64 of little-endian numbers>"}`,
which is exact and twenty times quicker; both are read. Fields have the names of `forecasting.joint`.
"""

import base64
import binascii
import math
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from forecasting.joint import DECILES, Bounds, Capabilities, Diagnosis, ForecastRequest, JointForecast, SeriesKind

MOST_NUMBERS = 32 * 1024 * 1024
"""Numbers that one array may hold."""

type Doubles = NDArray[np.float64]


class NotUnderstoodError(ValueError):
    """A message is not a request or an answer; the text says what is wrong with it."""


def request_to_json(request: ForecastRequest, *, packed: bool = True) -> dict[str, Any]:
    """A request as JSON can hold it."""
    return {
        "ids": list(request.ids),
        "values": _array_to_json(request.values, packed=packed),
        "step_s": request.step_s,
        "start": request.start.isoformat(),
        "horizon": request.horizon,
        "levels": list(request.levels),
        "groups": list(request.groups),
        "bounds": [[bound.low, bound.high] for bound in request.bounds],
        "kinds": [kind.value for kind in request.kinds],
        "period": request.period,
        "arrays": "packed" if packed else "lists",
    }


def request_from_json(raw: object) -> ForecastRequest:
    """Read a request; NotUnderstoodError names the field."""
    fields = _object(raw, "the request")
    if "values" not in fields or "horizon" not in fields:
        raise NotUnderstoodError("a request needs at least values and horizon")
    values = _array(fields["values"], "values", dimensions=2)
    ids = fields.get("ids") or [f"series {row}" for row in range(values.shape[0])]
    start = fields.get("start") or "1970-01-01T00:00:00Z"
    try:
        at = datetime.fromisoformat(str(start))
        period = fields.get("period")
        return ForecastRequest(
            ids=tuple(str(name) for name in _list(ids, "ids")),
            values=values,
            step_s=_number(fields.get("step_s", 60.0), "step_s"),
            start=at if at.tzinfo else at.replace(tzinfo=UTC),
            horizon=int(fields["horizon"]),
            levels=tuple(_number(level, "levels") for level in _list(fields.get("levels") or list(DECILES), "levels")),
            groups=tuple(int(group) for group in _list(fields.get("groups") or [], "groups")),
            bounds=tuple(_bounds(pair) for pair in _list(fields.get("bounds") or [], "bounds")),
            kinds=tuple(SeriesKind(kind) for kind in _list(fields.get("kinds") or [], "kinds")),
            period=None if period is None else int(period),
        )
    except (TypeError, ValueError, OverflowError) as error:
        raise error if isinstance(error, NotUnderstoodError) else NotUnderstoodError(f"the request: {error}") from error


def answer_to_json(answer: JointForecast, *, packed: bool = True) -> dict[str, Any]:
    """An answer as JSON can hold it."""
    return {
        "model": answer.model,
        "levels": list(answer.levels),
        "quantiles": _array_to_json(answer.quantiles, packed=packed),
        "diagnoses": [vars(one) | {"warnings": list(one.warnings)} for one in answer.diagnoses],
        "paths": None if answer.paths is None else _array_to_json(answer.paths, packed=packed),
    }


def answer_from_json(raw: object, request: ForecastRequest) -> JointForecast:
    """Read the answer to `request` and check that it is one: shapes, levels, order, bounds, nothing but refusals left empty."""
    fields = _object(raw, "the answer")
    try:
        answer = JointForecast(
            model=str(fields["model"])[:500],
            levels=tuple(_number(level, "levels") for level in _list(fields["levels"], "levels")),
            quantiles=_array(fields["quantiles"], "quantiles", dimensions=3),
            diagnoses=tuple(_diagnosis(one) for one in _list(fields["diagnoses"], "diagnoses")),
            paths=None if fields.get("paths") is None else _array(fields["paths"], "paths", dimensions=3),
        )
    except KeyError as error:
        raise NotUnderstoodError(f"the answer lacks {error}") from error
    wrong = _contradiction(answer, request)
    if wrong:
        raise NotUnderstoodError(f"the answer {wrong}")
    return answer


def capabilities_to_json(capabilities: Capabilities) -> dict[str, Any]:
    """What a backend can take."""
    return vars(capabilities) | {"notes": list(capabilities.notes)}


def capabilities_from_json(raw: object) -> Capabilities:
    """Read what a backend says it can take."""
    fields = _object(raw, "capabilities")
    try:
        return Capabilities(
            max_series=int(fields["max_series"]),
            max_context=int(fields["max_context"]),
            max_horizon=int(fields["max_horizon"]),
            min_points=int(fields["min_points"]),
            joint=bool(fields["joint"]),
            paths=bool(fields["paths"]),
            notes=tuple(str(note) for note in _list(fields["notes"], "notes")),
        )
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise NotUnderstoodError(f"capabilities: {error}") from error


def _contradiction(answer: JointForecast, request: ForecastRequest) -> str | None:
    series = len(request.ids)
    if answer.levels != tuple(request.levels):
        return "is for other levels"
    if answer.quantiles.shape != (series, request.horizon, len(request.levels)) or len(answer.diagnoses) != series:
        return f"has shape {list(answer.quantiles.shape)}"
    if answer.paths is not None and answer.paths.shape[1:] != (series, request.horizon):
        return f"has paths of shape {list(answer.paths.shape)}"
    for index, diagnosis in enumerate(answer.diagnoses):
        band = answer.quantiles[index]
        if diagnosis.refused is not None:
            if not np.isnan(band).all():
                return f"refuses {request.ids[index]} and forecasts it"
        elif not np.isfinite(band).all() or (np.diff(band, axis=1) < 0).any():
            return f"has a band for {request.ids[index]} that is not finite and sorted"
        elif request.bounds and _outside(band, request.bounds[index]):
            return f"leaves the bounds of {request.ids[index]}"
    return None


def _outside(band: Doubles, bounds: Bounds) -> bool:
    below = bounds.low is not None and bool((band < bounds.low).any())
    return below or (bounds.high is not None and bool((band > bounds.high).any()))


def _array_to_json(array: Doubles, *, packed: bool) -> object:
    if packed:
        numbers = np.ascontiguousarray(array, "<f8")
        return {"shape": list(array.shape), "float64": base64.b64encode(numbers.tobytes()).decode("ascii")}
    return _listed(array.tolist())


def _listed(nested: list[Any]) -> list[Any]:
    return [_listed(cast("list[Any]", one)) if isinstance(one, list) else one if math.isfinite(one) else None for one in nested]


def _array(raw: object, field: str, *, dimensions: int) -> Doubles:
    try:
        is_packed = isinstance(raw, Mapping)
        array = _unpacked(cast("Mapping[str, Any]", raw)) if is_packed else np.array(raw, dtype=np.float64)
    except (TypeError, ValueError, KeyError, OverflowError, binascii.Error) as error:
        raise NotUnderstoodError(f"{field} is not an array of numbers ({error})") from error
    if array.ndim != dimensions or array.size == 0 or array.size > MOST_NUMBERS:
        raise NotUnderstoodError(f"{field} has shape {list(array.shape)}")
    return array


def _unpacked(raw: Mapping[str, Any]) -> Doubles:
    shape = [int(size) for size in raw["shape"]]
    if any(size < 0 for size in shape) or math.prod(shape) > MOST_NUMBERS:
        raise ValueError(f"shape {shape}")
    return np.frombuffer(base64.b64decode(str(raw["float64"]), validate=True), "<f8").astype(np.float64).reshape(shape)


def _diagnosis(raw: object) -> Diagnosis:
    fields = _object(raw, "a diagnosis")
    refused = fields.get("refused")
    try:
        return Diagnosis(
            used_context=int(fields["used_context"]),
            imputed_share=_number(fields.get("imputed_share", 0.0), "imputed_share"),
            clipped_share=_number(fields.get("clipped_share", 0.0), "clipped_share"),
            refused=None if refused is None else str(refused)[:500],
            warnings=tuple(str(one)[:500] for one in _list(fields.get("warnings") or [], "warnings")),
        )
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise NotUnderstoodError(f"a diagnosis: {error}") from error


def _bounds(raw: object) -> Bounds:
    if isinstance(raw, dict):
        by_name = cast("dict[str, Any]", raw)
        raw = [by_name.get("low"), by_name.get("high")]
    low, high = _list(raw, "bounds")
    return Bounds(None if low is None else _number(low, "bounds"), None if high is None else _number(high, "bounds"))


def _number(raw: object, field: str) -> float:
    if isinstance(raw, bool) or not isinstance(raw, int | float) or not math.isfinite(raw):
        raise NotUnderstoodError(f"{field}: {raw!r} is not a finite number")
    return float(raw)


def _list(raw: object, field: str) -> list[Any]:
    if not isinstance(raw, list):
        raise NotUnderstoodError(f"{field} is not a list")
    return cast("list[Any]", raw)


def _object(raw: object, what: str) -> Mapping[str, Any]:
    if not isinstance(raw, Mapping):
        raise NotUnderstoodError(f"{what} is not a JSON object")
    return cast("Mapping[str, Any]", raw)
