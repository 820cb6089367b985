"""The API of one cluster: lists over all their pages, every fault told apart.

Source: https://kubernetes.io/docs/reference/using-api/api-concepts/ (limit, continue, 410 Gone, metadata alone).
"""

import json
import random
from collections.abc import Callable, Mapping
from time import sleep
from typing import Any, Protocol, cast

MAX_PAGES = 10_000
PAGE = 250
"""Objects of one page."""
MAX_BYTES = 256 * 2**20
_TRIES = 6
_LONGEST_PAUSE_S = 30.0
_TRY_AGAIN = (429, 500, 502, 503, 504)
_JSON = "application/json"
_METADATA = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json"

Object = Mapping[str, Any]


class ClusterRefused(OSError):
    """The API answered with an error, or with something that is no list. `status` is HTTP's, 0 when nobody answered."""

    def __init__(self, message: str, *, status: int = 0, reason: str = "") -> None:
        super().__init__(message)
        self.status, self.reason = status, reason


class Answer(Protocol):
    """What one request brought."""

    @property
    def status(self) -> int:
        """HTTP's."""
        ...

    @property
    def headers(self) -> Mapping[str, str]:
        """Names in any case."""
        ...

    @property
    def data(self) -> bytes:
        """The whole body."""
        ...


Ask = Callable[[str, Mapping[str, str], str], Answer]
"""Path, query and the Accept header → the answer. Raises OSError when nobody answers."""


class ClusterApi:
    """Asks one cluster. A slow one is given time (`Retry-After`, else ever longer pauses); an error is never an empty list."""

    def __init__(self, ask: Ask, *, tries: int = _TRIES, pause: Callable[[float], None] = sleep) -> None:
        self._ask, self._tries, self._pause = ask, tries, pause

    def listed(self, path: str, *, page: int = PAGE, metadata_only: bool = False, at_most: int | None = None) -> list[Object]:
        """Every object of a list; the first page's alone when `at_most` are wanted.

        When the place in the list is too old to go on from (410), the list is read once more, whole, as kubectl does: pages of
        two different states would miss what moved between them. Raises ClusterRefused.
        """
        try:
            return self._pages(path, page=at_most or page, metadata_only=metadata_only, is_first_enough=at_most is not None)
        except _Expired:
            return self._pages(path, page=0, metadata_only=metadata_only, is_first_enough=False)

    def _pages(self, path: str, *, page: int, metadata_only: bool, is_first_enough: bool) -> list[Object]:
        found: list[Object] = []
        token, seen = "", set[str]()
        for _ in range(MAX_PAGES):
            query = ({"limit": str(page)} if page else {}) | ({"continue": token} if token else {})
            try:
                answer = self._get(path, query, _METADATA if metadata_only else _JSON)
            except ClusterRefused as error:
                if error.status == 410 and token:
                    raise _Expired from error
                raise
            items = answer.get("items", "")
            if not isinstance(items, list | None) or not str(answer.get("kind", "")).endswith("List"):
                raise ClusterRefused(f"{path} answered with something that is no list")
            found += cast("list[Object]", items or [])
            token = str(cast("Object", answer.get("metadata") or {}).get("continue") or "")
            if not token or is_first_enough:
                return found
            if token in seen:
                raise ClusterRefused(f"{path} gave the same continue token twice")
            seen.add(token)
        raise ClusterRefused(f"{path} has more than {MAX_PAGES:,} pages")

    def _get(self, path: str, query: Mapping[str, str], accept: str) -> Object:
        for failed in range(1, self._tries + 1):
            try:
                answer = self._ask(path, query, accept)
            except OSError as error:
                if failed == self._tries:
                    raise ClusterRefused(f"{path}: nobody answers ({type(error).__name__})") from error
                self._pause(_wait(None, failed))
                continue
            if answer.status == 200:
                return _parsed(path, answer.data)
            if failed == self._tries or answer.status not in _TRY_AGAIN:
                raise _refused(path, answer)
            self._pause(_wait(answer.headers.get("Retry-After"), failed))
        raise AssertionError("the last try returns or raises")


class _Expired(Exception):
    """The continue token is older than what the cluster remembers."""


def _wait(asked: str | None, failed: int) -> float:
    """Seconds until the next try: what the server asks for, else longer each time, never in step with others."""
    if asked and asked.isdigit():
        return min(float(asked), _LONGEST_PAUSE_S)
    return min(_LONGEST_PAUSE_S, 0.2 * 2**failed) * (0.5 + random.random() / 2)  # noqa: S311  spreads retries


def _parsed(path: str, body: bytes) -> Object:
    if len(body) > MAX_BYTES:
        raise ClusterRefused(f"{path} answered more than {MAX_BYTES // 2**20} MiB")
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise ClusterRefused(f"{path} answered with something that is not JSON") from error
    if not isinstance(answer, Mapping):
        raise ClusterRefused(f"{path} answered with something that is no object")
    return cast("Object", answer)


def _refused(path: str, answer: Answer) -> ClusterRefused:
    """In the API's own words: a `Status` object has a reason and a message."""
    try:
        said: object = json.loads(answer.data[:65_536])
    except ValueError:
        said = {}
    told: Object = cast("Object", said) if isinstance(said, Mapping) else {}
    reason, message = str(told.get("reason") or ""), " ".join(str(told.get("message") or "").split())[:200]
    return ClusterRefused(f"{path} answered {answer.status} {message or reason}".rstrip(), status=answer.status, reason=reason)
