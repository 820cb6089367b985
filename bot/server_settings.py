"""Settings of the servers (`gonogo serve`, `gonogo worker`): the environment, then the file that GONOGO_CONFIG names, then `.env`."""

import hashlib
import hmac
import os
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from dotenv import dotenv_values
from pydantic import AfterValidator, AliasChoices, Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from bot.server_addresses import host_address, http_address, lasting_database_address, redis_address
from bot.server_files import private_key, snapshot_folder
from bot.settings import Settings, sqlite_url
from gonogo.errors import CallError

GITHUB_API_URL = "https://api.github.com"
_HALF_A_SIGN_IN = "GONOGO_GITHUB_CLIENT_ID and GONOGO_GITHUB_CLIENT_SECRET go together, and one of them is not set"
_NO_KEY_FOR_A_MODEL = "GONOGO_INVESTIGATOR is claude and ANTHROPIC_API_KEY is not set; set it, or auto or rules"


def _not_blank(value: SecretStr) -> SecretStr:
    if not value.get_secret_value().strip():
        raise ValueError("is blank")
    return value


def _read_by(read: Callable[[str], str]) -> AfterValidator:
    """Validates a secret by a function of its text."""
    return AfterValidator(lambda value: (read(value.get_secret_value()), value)[1])


HttpUrl = Annotated[str, AfterValidator(http_address)]
"""An address without a slash at its end."""

SetSecret = Annotated[SecretStr, AfterValidator(_not_blank)]

_DAY_S, _MONTH_S = 86_400.0, 30 * 86_400.0
_MOST_DOLLARS = 1_000_000.0


def _number(at_least: float, at_most: float) -> Any:
    """Its bounds: what is neither a slip of the pen nor a date that no clock can hold."""
    return Field(ge=at_least, le=at_most, allow_inf_nan=False)


class ServerSettings(BaseSettings):
    """What the web process and the worker are told. Field `x` is the variable `GONOGO_X`, but for the two of the model's SDK."""

    model_config = SettingsConfigDict(
        env_prefix="GONOGO_",
        env_ignore_empty=True,
        frozen=True,
        extra="ignore",
        hide_input_in_errors=True,
        populate_by_name=True,
        validate_default=False,
    )

    host: str = "127.0.0.1"
    """Address that the web process listens on."""
    port: Annotated[int, Field(ge=0, le=65535)] = 8000
    """Its port; 0 takes a free one."""
    url: Annotated[str, AfterValidator(host_address)] | None = None
    """Where people reach the dashboard, `https://gonogo.example.com`: for links in comments, and for sign-in."""
    data_dir: Path = Path()
    """Mirrors, the embedded Redis, SQLite. Default: `gonogo` in the user's state folder."""
    database_url: Annotated[SecretStr, _read_by(lasting_database_address)] = SecretStr("")
    """`sqlite:///FILE` or `postgresql://USER@HOST/NAME`. Default: SQLite in the data folder."""
    redis_url: Annotated[SecretStr, _read_by(redis_address)] | None = None
    """`redis://HOST:PORT/DB`, `rediss://…` or `unix:///SOCKET`; `serve --embedded` brings its own."""

    github_api_url: HttpUrl = GITHUB_API_URL
    """GitHub's REST API; `https://HOST/api/v3` of a GitHub Enterprise Server."""
    github_url: HttpUrl = ""
    """GitHub's pages and git. Default: what belongs to the API."""
    github_app_id: Annotated[int, Field(gt=0)]
    """The App's number."""
    github_private_key: SecretStr | None = None
    """The App's private key, PEM; `\\n` may stand for a line end."""
    github_private_key_file: Path | None = None
    """Or the file that holds it."""
    github_webhook_secret: SetSecret
    """What GitHub signs webhooks with."""
    github_client_id: Annotated[str, Field(pattern=r"\S")] | None = None
    """The App's client id: with the secret, people can sign in to the dashboard."""
    github_client_secret: SetSecret | None = None
    """Its secret."""

    production: str | None = None
    """A folder with a snapshot, or `live`; `none` is none."""
    investigator: Literal["auto", "rules", "claude"] = "auto"
    """`auto`: a model when there is a key for one, else the rules alone."""
    anthropic_api_key: Annotated[
        SetSecret | None, Field(validation_alias=AliasChoices("ANTHROPIC_API_KEY", "anthropic_api_key"))
    ] = None
    """The key for a model; without one the rules alone decide."""
    anthropic_base_url: Annotated[
        HttpUrl | None, Field(validation_alias=AliasChoices("ANTHROPIC_BASE_URL", "anthropic_base_url"))
    ] = None
    """Where the model is reached, when not at its maker's."""
    model: str | None = None
    """The model that investigates."""
    small_model: str | None = None
    """A smaller one for what is easy."""
    deadline: Annotated[float, _number(1, 3600)] = 150.0
    """Seconds that one evaluation may take."""
    steps: Annotated[int, Field(ge=1, le=1000)] = 30
    """Steps that an investigation may take."""
    workers: Annotated[int, Field(ge=1, le=64)] = 2
    """Evaluations at a time, in one worker process."""
    sweep_interval: Annotated[float, _number(0.1, _DAY_S)] = 300.0
    """Seconds between two looks for pull requests without a verdict and for webhooks that did not arrive."""
    deploys_within: Annotated[float, _number(0, _MONTH_S)] = 1800.0
    """Seconds after a merge from which on it counts as deployed, when GitHub was told of no deployment."""
    watches_for: Annotated[float, _number(1, _MONTH_S)] = 3600.0
    """Seconds after a deployment in which production is compared with its forecast."""
    memory_mb: Annotated[int, Field(ge=256, le=1_048_576)] = 4096
    """Megabytes of memory that the process of one evaluation may take."""
    max_cost_pull_request_day: Annotated[float, _number(0, _MOST_DOLLARS)] = 5.0
    """Dollars that the model may cost for one pull request on one day; past it the rules alone decide."""
    max_cost_installation_day: Annotated[float, _number(0, _MOST_DOLLARS)] = 100.0
    """The same for one installation."""
    session_secret: Annotated[SecretStr, Field(min_length=16), AfterValidator(_not_blank)] | None = None
    """Signs the sessions of the dashboard. Default: derived from the App's private key."""

    @field_validator("production")
    @classmethod
    def _is_production(cls, value: str | None) -> str | None:
        return value if value in (None, "live", "none") else snapshot_folder(Path(value))

    @model_validator(mode="after")
    def _complete(self) -> Self:
        own = Settings.from_environment(os.environ)
        filled: dict[str, Any] = {"data_dir": self.data_dir.absolute() if "data_dir" in self.model_fields_set else own.data_dir}
        if "database_url" not in self.model_fields_set:
            filled["database_url"] = SecretStr(sqlite_url(filled["data_dir"]))
        if not self.github_url:
            filled["github_url"] = _pages_of(self.github_api_url)
        given = self.github_private_key.get_secret_value() if self.github_private_key else None
        key, wrong = private_key(given, self.github_private_key_file)
        if (self.github_client_id is None) != (self.github_client_secret is None):
            wrong.append(_HALF_A_SIGN_IN)
        if self.investigator == "claude" and self.anthropic_api_key is None:
            wrong.append(_NO_KEY_FOR_A_MODEL)
        if wrong:
            raise ValueError("; ".join(wrong))
        for name, value in (filled | {"github_private_key": SecretStr(key)}).items():
            object.__setattr__(self, name, value)  # frozen for everybody else
        return self

    @cached_property
    def private_key(self) -> SecretStr:
        """The App's private key, wherever it came from."""
        assert self.github_private_key is not None
        return self.github_private_key

    @cached_property
    def public_url(self) -> str:
        """Where people reach the dashboard, without a slash at its end."""
        return self.url or f"http://{self.host}:{self.port}"

    @cached_property
    def session_key(self) -> bytes:
        """Signs cookies and forms of the dashboard; equal in every web process of one App."""
        if self.session_secret is not None:
            return self.session_secret.get_secret_value().encode()
        return hmac.digest(self.private_key.get_secret_value().encode(), b"gonogo dashboard sessions", hashlib.sha256)


def load_server_settings(environment: MutableMapping[str, str] = os.environ, *, is_embedded: bool = False) -> ServerSettings:
    """The settings; all that is wrong with them is one CallError. What the files add is put into the environment, for all readers.

    `is_embedded`: the Redis server is our own, so its URL need not be set.
    """
    for file, is_asked_for in _files(environment):
        for name, value in _pairs(file, is_asked_for=is_asked_for).items():
            environment.setdefault(name, value)
    try:
        settings, wrong = ServerSettings(), list[str]()  # pyright: ignore[reportCallIssue]  from the environment
    except ValidationError as error:
        settings, wrong = None, list(_mistakes(error, environment))
    if not is_embedded and not environment.get("GONOGO_REDIS_URL"):
        wrong.append("GONOGO_REDIS_URL is not set (gonogo serve --embedded needs none)")
    if settings is None or wrong:
        raise CallError(f"cannot start: {'; '.join(wrong)}; the settings are in docs/app/install.md")
    return settings


_OURS = ("GONOGO_", "ANTHROPIC_", "AWS_", "KUBECONFIG", "CLOUDFLARE_")
"""What a `.env` may set that nobody named: not the loader's or Python's own variables."""


def _files(environment: MutableMapping[str, str]) -> Iterator[tuple[Path, bool]]:
    if named := environment.get("GONOGO_CONFIG"):
        yield Path(named), True
    yield Path(".env"), False


def _pairs(file: Path, *, is_asked_for: bool) -> dict[str, str]:
    try:
        text_of = dotenv_values(file, encoding="utf-8", interpolate=False) if file.is_file() else None
    except (OSError, UnicodeDecodeError) as error:
        raise CallError(f"cannot start: {file} cannot be read ({error})") from error
    if text_of is None:
        if is_asked_for:
            raise CallError(f"cannot start: GONOGO_CONFIG names {file}, which is no file")
        return {}
    return {name: value for name, value in text_of.items() if value and (is_asked_for or name.startswith(_OURS))}


def _pages_of(api_url: str) -> str:
    return "https://github.com" if api_url == GITHUB_API_URL else api_url.removesuffix("/api/v3")


_SAID = {
    "missing": "is not set",
    "int_parsing": "is not a whole number",
    "float_parsing": "is not a number",
    "finite_number": "is not a finite number",
    "string_pattern_mismatch": "is blank",
    "too_short": "is shorter than 16 characters",
}


def _said(kind: str, message: str) -> str:
    if kind in _SAID:
        return _SAID[kind]
    plain = message.replace("Input should be", "should be").replace("greater than or equal to", "at least")
    return plain.replace("less than or equal to", "at most").removeprefix("Value should have ")


def _mistakes(error: ValidationError, environment: Mapping[str, str]) -> Iterator[str]:
    """Each mistake in words, never with the value: it may be a secret."""
    errors = error.errors(include_url=False, include_input=False)
    for one in errors:
        message = one["msg"].removeprefix("Value error, ")
        if not one["loc"]:
            yield message
            continue
        name = str(one["loc"][0])
        name = name if name.isupper() else f"GONOGO_{name.upper()}"
        yield f"{name} {_said(one['type'], message)}"
    if all(one["loc"] for one in errors):  # then what concerns several of them was not looked at yet
        file = environment.get("GONOGO_GITHUB_PRIVATE_KEY_FILE")
        yield from private_key(environment.get("GONOGO_GITHUB_PRIVATE_KEY"), Path(file) if file else None)[1]
        if bool(environment.get("GONOGO_GITHUB_CLIENT_ID")) != bool(environment.get("GONOGO_GITHUB_CLIENT_SECRET")):
            yield _HALF_A_SIGN_IN
        if environment.get("GONOGO_INVESTIGATOR") == "claude" and not environment.get("ANTHROPIC_API_KEY"):
            yield _NO_KEY_FOR_A_MODEL
