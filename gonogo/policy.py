"""The repository's own settings, `.github/gonogo.yml`: parsed from a mapping, every mistake reported at once."""

from collections.abc import Mapping
from typing import Any, cast

from pydantic import Field, ValidationError

from gonogo.acceptance import AcceptedHere
from gonogo.errors import CallError
from gonogo.word import Word


class Policy(Word):
    """What a repository may set. Everything has a default, so no file is needed."""

    repository: str | None = None
    """`owner/name`, when the remote does not say it."""
    production: str | None = None
    """A snapshot folder, `live` or `none`."""
    block_on_plausible: bool = False
    """Whether a plausible chain blocks as a confirmed one does."""
    material_requests: float = Field(default=50, gt=0)
    """Blocked requests from which on a lock is material."""
    resources: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)
    """Path prefix → ids of the resources that it belongs to."""
    ignore: tuple[str, ...] = ()
    """Path patterns that never reach production."""
    accept: tuple[AcceptedHere, ...] = ()
    """Findings that are taken as they are: `file`, `rule`, `reason`, optional `until` (a date), where a comment is impossible."""
    change_may_accept: bool = False
    """Whether a comment that the change itself writes lifts a confirmed trajectory; else only what stood at the base does."""

    @staticmethod
    def from_mapping(values: object, *, source: str) -> "Policy":
        """Check a parsed file; every mistake in one CallError that names the file and the key."""
        if values is None:
            return Policy()
        if not isinstance(values, Mapping):
            raise CallError(f"{source}: expected a mapping of settings, found {type(values).__name__}")
        try:
            return Policy.model_validate({str(key): value for key, value in cast("Mapping[Any, Any]", values).items()})
        except ValidationError as error:
            known = ", ".join(sorted(Policy.model_fields))
            said = [_explain(dict(e), known) for e in error.errors()]
            raise CallError(f"{source}: " + "; ".join(said)) from error


def _explain(error: dict[str, Any], known: str) -> str:
    where = ".".join(str(part) for part in error["loc"])
    if error["type"] == "extra_forbidden":
        return f"'{where}' is not a setting (known: {known})"
    return f"'{where}': {error['msg'][0].lower()}{error['msg'][1:]}"
