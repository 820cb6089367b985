"""How long the longest pause between two attempts is, wherever the code states it: an argument, a field, a constant, a sleep."""

from collections.abc import Iterable, Iterator

from heuristics.code import value_sites
from heuristics.code.value_sites import ValueSite
from heuristics.code.word_sets import words as word_set
from heuristics.limits.changed import words_of

_PAUSES = word_set("pause wait delay backoff interval sleep period retryafter maxtimeout mintimeout rest cooldown nap")
_OTHERS = word_set(
    "timeout request connect connection read write idle response http keepalive heartbeat poll polling refresh flush lease lock visibility deadline "
    "elapsed stop total attempts retries tries factor multiplier count jitter rate limit ttl expiry age schedule cache"
)
_CAPS = word_set("max maximum cap limit ceiling upper longest")
_OPTIONS = ("max", "max_value", "max_wait", "cap")
_AROUND = 8
"""Lines above and below a retry that its own options stand in."""


def longest_pause(file: str, text: str, line: int, *, attempts: int | None, is_growing: bool) -> float | None:
    """Seconds of the longest pause around the retry at this line; None when the text states none.

    A cap is the longest; without one a pause that grows doubles with every attempt.
    """
    stated = list(_stated(value_sites(file, text), line))
    if not stated:
        return None
    caps = [seconds for words, seconds in stated if words & _CAPS]
    if caps:
        return max(caps)
    longest = max(seconds for _, seconds in stated)
    return longest * 2.0 ** min(max((attempts or 3) - 2, 0), 20) if is_growing else longest


def _stated(sites: Iterable[ValueSite], line: int) -> Iterator[tuple[frozenset[str], float]]:
    """Words of its name and seconds, of every value that says how long a pause is."""
    for site in sites:
        called = frozenset(words_of(site.call.rpartition(".")[2]))
        words = frozenset(words_of(site.name)) | frozenset({"".join(words_of(site.name))})
        is_option = bool(set(words_of(site.call)) & {"wait", "backoff", "expo"}) and site.name in _OPTIONS
        if is_option and isinstance(site.value, int | float):  # tenacity and backoff of Python count in seconds
            yield words | {"max"}, float(site.value)
            continue
        if site.name == "backoff_factor" and site.call.endswith("Retry") and site.seconds is not None:
            yield words, site.seconds  # of urllib3: the first pause in seconds
            continue
        is_pause = bool((words | called) & _PAUSES) and not (words & _OTHERS - _CAPS and not words & {"maxtimeout", "mintimeout"})
        if site.seconds is None or not is_pause or isinstance(site.value, bool):
            continue
        if abs(site.line - line) <= _AROUND or _is_constant(site):
            yield words, site.seconds


def _is_constant(site: ValueSite) -> bool:
    """A pause by the name of a constant is of the file's retries, wherever it stands in the file."""
    return not site.call and not site.scope and site.name.upper() == site.name
