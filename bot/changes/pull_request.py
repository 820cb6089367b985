"""`--pr FILE.yaml`: what the pull request says of itself. Text of a stranger: data, never instructions."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from gonogo.errors import CallError
from gonogo.word import Word

_TEXTS = ("title", "body", "author", "base_branch", "repository")


class PullRequest(Word):
    """Its words; everything is optional."""

    title: str = ""
    body: str = ""
    commits: tuple[str, ...] = ()
    author: str = ""
    base_branch: str = ""
    repository: str = ""
    number: int | None = None
    unknown_keys: tuple[str, ...] = ()


def read_pull_request(path: Path | None) -> PullRequest:
    """Parse the file. A wrong type is a CallError with the key; an unknown key is kept for a note."""
    if path is None:
        return PullRequest()
    values = read_yaml(path, option="--pr")
    if not isinstance(values, Mapping):
        raise CallError(f"--pr {path}: expected title, body, commits … as a mapping")
    known: dict[str, Any] = {}
    unknown: list[str] = []
    for key, value in cast("Mapping[Any, Any]", values).items():
        if key in _TEXTS:
            if value is not None and not isinstance(value, str):
                raise CallError(f"--pr {path}: '{key}' must be text, found {type(value).__name__}")
            known[key] = value or ""
        elif key == "commits":
            listed = cast("list[Any]", value) if isinstance(value, list) else None
            if value is not None and (listed is None or not all(isinstance(c, str) for c in listed)):
                raise CallError(f"--pr {path}: 'commits' must be a list of messages")
            known[key] = tuple(cast("list[str]", listed or []))
        elif key == "number":
            if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
                raise CallError(f"--pr {path}: 'number' must be a whole number, found {value!r}")
            known[key] = value
        else:
            unknown.append(str(key))
    return PullRequest(**known, unknown_keys=tuple(unknown))


def read_yaml(path: Path, *, option: str) -> object:
    """A small YAML file of the caller's, parsed safely."""
    return parse_yaml(read_text(path, option=option), source=f"{option} {path}")


def read_text(path: Path, *, option: str) -> str:
    """The text of a file of the caller's, or a CallError that says why there is none."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise CallError(f"{option} {path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise CallError(f"{option} {path}: not readable as YAML: it is not UTF-8") from error


def parse_yaml(text: str, *, source: str) -> object:
    """Parsed YAML, or a CallError with the line."""
    import yaml  # noqa: PLC0415  only when a file is given

    try:
        return cast("object", yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader)))  # noqa: S506  both are safe loaders
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f" line {mark.line + 1}" if mark is not None else ""
        raise CallError(f"{source}{where}: not valid YAML: {_problem_of(error)}") from error


def _problem_of(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "nested too deeply"
    return str(
        getattr(error, "problem", None) or getattr(error, "reason", None) or "it holds a character that YAML does not allow"
    )
