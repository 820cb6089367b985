"""Cloudflare's API v4: its envelope, its two ways of giving out pages, and which permission a path takes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from time import sleep
from typing import Any, cast

from context_graph.providers.http_json import ApiRefused, JsonApi

BASE = "https://api.cloudflare.com/client/v4"
MAX_PAGES = 10_000
_LONGEST_CURSOR = 3_000
_TIMEOUT_S = 20.0
_TRIES = 4
_LONGEST_PAUSE_S = 60.0
"""Retry-After of a client that used up its 1,200 requests in five minutes may ask for more; then the scope is throttled."""


class CloudflareApi:
    """Asks with one token. ValueError when `base` is no URL. Every answer is checked for `success`: an envelope that says no is an error, never an empty list.

    A sample reads the first entry of every list: enough to learn what the token may do.
    """

    def __init__(self, token: str, *, base: str = BASE, pause: Callable[[float], None] = sleep, is_sample: bool = False) -> None:
        self._token, self._base, self._pause, self._is_sample = token, base, pause, is_sample
        self._by_jurisdiction: dict[str, JsonApi] = {"": self._opened("")}

    def result(self, path: str, parameters: Mapping[str, str] | None = None, *, jurisdiction: str = "") -> Any:
        """The `result` of one answer; None where it is null. Raises ApiRefused, URLError or TimeoutError."""
        return self._envelope(path, parameters or {}, jurisdiction)["result"]

    def pages(
        self,
        path: str,
        key: str = "",
        *,
        per_page: int | None = None,
        by_cursor: bool = False,
        where: Mapping[str, str] | None = None,
        jurisdiction: str = "",
    ) -> Iterator[Any]:
        """Every entry of a list, over all pages.

        `per_page` None is for lists that Cloudflare gives out whole. `key` names the list inside `result`, where it is no list
        itself. Raises ValueError when the pages never end or the list is none.
        """
        parameters = {**(where or {}), **({"per_page": str(per_page)} if per_page else {})}
        seen: set[str] = set()
        for page in range(1, MAX_PAGES + 1):
            envelope = self._envelope(path, parameters, jurisdiction)
            entries = _entries(envelope["result"], key, path)
            yield from entries[:1] if self._is_sample else entries
            if self._is_sample:
                return
            information = cast("Mapping[str, Any]", envelope.get("result_info") or {})
            if by_cursor:
                cursor = str(information.get("cursor") or "")
                if not cursor:
                    return
                if cursor in seen or len(cursor) > _LONGEST_CURSOR:
                    raise ValueError(f"{path} gave a cursor that leads nowhere")
                seen.add(cursor)
                parameters = {**parameters, "cursor": cursor}
            elif per_page is None or _is_last(information, page, len(entries), per_page):
                return
            else:
                parameters = {**parameters, "page": str(page + 1)}
        raise ValueError(f"{path} has more than {MAX_PAGES:,} pages")

    def _envelope(self, path: str, parameters: Mapping[str, str], jurisdiction: str) -> Mapping[str, Any]:
        answer = self._client(jurisdiction).get(path, list(parameters.items()))
        if not isinstance(answer, Mapping) or "result" not in answer:
            raise ApiRefused(f"{path} answered without a result", body=cast("object", answer))
        envelope = cast("Mapping[str, Any]", answer)
        if envelope.get("success") is not True:
            raise ApiRefused(f"{path} answered that it did not succeed", body=envelope)
        return envelope

    def _client(self, jurisdiction: str) -> JsonApi:
        """R2 keeps buckets of a jurisdiction apart, and takes its name in a header."""
        if jurisdiction not in self._by_jurisdiction:
            self._by_jurisdiction[jurisdiction] = self._opened(jurisdiction)
        return self._by_jurisdiction[jurisdiction]

    def _opened(self, jurisdiction: str) -> JsonApi:
        return JsonApi(
            self._base,
            token=self._token,
            headers={"cf-r2-jurisdiction": jurisdiction} if jurisdiction else {},
            timeout_s=_TIMEOUT_S,
            tries=_TRIES,
            max_pause_s=_LONGEST_PAUSE_S,
            pause=self._pause,
        )


def _entries(result: object, key: str, path: str) -> Sequence[Any]:
    if key and isinstance(result, Mapping):
        result = cast("Mapping[str, object]", result).get(key)
    if result is None:
        return ()
    if not isinstance(result, list):
        raise ValueError(f"{path} answered with something that is no list")  # noqa: TRY004  data of a shape that we do not know
    return cast("list[Any]", result)


def _is_last(information: Mapping[str, Any], page: int, arrived: int, per_page: int) -> bool:
    """By the number of pages, else by the total, else by a page that is not full; some lists lack the first, some both.

    A server may give fewer than it was asked for: then `per_page` of the answer counts.
    """
    total_pages, total = information.get("total_pages"), information.get("total_count")
    if not arrived:
        return True
    if isinstance(total_pages, int) and total_pages:
        return page >= total_pages
    given = information.get("per_page")
    size = given if isinstance(given, int) and given > 0 else per_page
    if isinstance(total, int) and total:
        return page * size >= total
    return arrived < size
