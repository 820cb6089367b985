"""Settings of the process, from its environment; read once, by `bootstrap`. A repository's own settings are `gonogo.policy`."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote

from pydantic import Field

from gonogo.errors import CallError
from gonogo.word import Word


class Settings(Word):
    """Where this process keeps its data."""

    data_dir: Path
    database_url: str

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> "Settings":
        """`GONOGO_DATA_DIR`, else `gonogo` in the user's state folder; `GONOGO_DATABASE_URL`, else SQLite in the data folder."""
        state = environment.get("XDG_STATE_HOME") or str(Path(environment.get("HOME") or "~").expanduser() / ".local" / "state")
        data_dir = Path(environment.get("GONOGO_DATA_DIR") or Path(state) / "gonogo").absolute()
        return cls(data_dir=data_dir, database_url=environment.get("GONOGO_DATABASE_URL") or sqlite_url(data_dir))


def sqlite_url(data_dir: Path) -> str:
    """The database that is used when no other is named."""
    return f"sqlite:///{quote(str(data_dir / 'gonogo.db'))}"


class Telemetry(Word):
    """Where live readings come from; what is not named is not asked. docs/how-to/live-telemetry.md explains each."""

    prometheus_url: str | None = None
    prometheus_token: str | None = Field(default=None, repr=False)
    prometheus_selectors: Mapping[str, tuple[str, ...]] = {}
    loki_url: str | None = None
    loki_token: str | None = Field(default=None, repr=False)
    loki_tenant: str | None = None
    loki_selectors: Mapping[str, tuple[str, ...]] = {}
    log_files: Mapping[str, tuple[str, ...]] = {}
    databases: Mapping[str, str] = Field(default={}, repr=False)
    statistics_interval_s: float = 10.0
    is_cloudwatch_read: bool = True

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> "Telemetry":
        """`GONOGO_PROMETHEUS_URL` and the others. A value that cannot be read is a CallError that names it and shows no secret."""
        interval = environment.get("GONOGO_STATISTICS_INTERVAL_S") or "10"
        try:
            interval_s = float(interval)
        except ValueError as error:
            raise CallError(f"GONOGO_STATISTICS_INTERVAL_S: '{interval}' is not a number of seconds") from error
        if not 0.1 <= interval_s <= 60:
            raise CallError(f"GONOGO_STATISTICS_INTERVAL_S: {interval} is not between 0.1 and 60 seconds")
        databases = {at: urls[0] for at, urls in _by_resource(environment, "GONOGO_DATABASES").items() if urls}
        return cls(
            prometheus_url=environment.get("GONOGO_PROMETHEUS_URL") or None,
            prometheus_token=environment.get("GONOGO_PROMETHEUS_TOKEN") or None,
            prometheus_selectors=_by_resource(environment, "GONOGO_PROMETHEUS_SELECTORS"),
            loki_url=environment.get("GONOGO_LOKI_URL") or None,
            loki_token=environment.get("GONOGO_LOKI_TOKEN") or None,
            loki_tenant=environment.get("GONOGO_LOKI_TENANT") or None,
            loki_selectors=_by_resource(environment, "GONOGO_LOKI_SELECTORS"),
            log_files=_by_resource(environment, "GONOGO_LOG_FILES"),
            databases=databases,
            statistics_interval_s=interval_s,
            is_cloudwatch_read=(environment.get("GONOGO_CLOUDWATCH") or "on").lower() not in ("off", "0", "false", "no"),
        )


def _by_resource(environment: Mapping[str, str], name: str) -> dict[str, tuple[str, ...]]:
    """JSON, or the path of a file that holds it: resource id → one text or a list of them."""
    text = (environment.get(name) or "").strip()
    if not text:
        return {}
    where = name
    if not text.startswith("{"):
        where = f"{name} ({text})"
        try:
            text = Path(text).read_text(encoding="utf-8")
        except OSError as error:
            raise CallError(f"{where}: {error.strerror or error}; give JSON, or the path of a JSON file") from error
    try:
        told = json.loads(text)
    except ValueError as error:
        raise CallError(f'{where}: not readable as JSON; write {{"RESOURCE ID": "…"}}') from error
    if not isinstance(told, dict):
        raise CallError(f"{where}: expected an object from resource id to text, found {type(told).__name__}")
    found: dict[str, tuple[str, ...]] = {}
    for at, value in cast("dict[str, Any]", told).items():
        listed = cast("list[Any]", value) if isinstance(value, list) else [value]
        if not all(isinstance(one, str) for one in listed):
            raise CallError(f"{where}: the value of {at} must be text, or a list of texts")
        found[at] = tuple(cast("list[str]", listed))
    return found
