"""Reads the text of `.github/gonogo.yml` into a Policy: every mistake at once, each with its line, whatever the text is."""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, cast

from gonogo.errors import Mistake, WrongConfiguration
from gonogo.marked_yaml import Marked, Path, read_marked
from gonogo.policy import Mistaken, Policy, checked

PLACES = (".github/gonogo.yml", ".github/gonogo.yaml")
"""Where a repository keeps its settings; the first that exists counts."""


def read_policy(text: str, *, source: str, known: Callable[[], Collection[str]] | None = None) -> Policy:
    """The policy that a file says. WrongConfiguration carries all of its mistakes with their lines.

    `known` gives the ids of every rule (`postgres/vacuum-full`) and playbook (`lock-on-live-table`); it is asked only when the
    file names one, and without it no name is wrong.
    """
    marked = read_marked(text)
    mistakes = list(marked.mistakes)
    unreadable = {mistake.line for mistake in mistakes}
    policy = Policy()
    if marked.is_whole:
        try:
            policy = checked(marked.value)
        except Mistaken as error:
            found = [Mistake(marked.line_of(path), message) for path, message in error.mistakes]
            mistakes += [mistake for mistake in found if mistake.line not in unreadable]
        mistakes += _unknown(marked, known)
    if mistakes:
        raise WrongConfiguration(source, mistakes)
    return policy


def _unknown(marked: Marked, known: Callable[[], Collection[str]] | None) -> Iterator[Mistake]:
    """Names that are no rule, looked for in what was written, since the rest of it may be wrong too."""
    given = _mapping(marked.value)
    entries = given.get("accept")
    accepted = [_mapping(entry).get("rule") for entry in cast("list[Any]", entries)] if isinstance(entries, list) else []
    named: list[tuple[Path, str, bool]] = [(("rules", name), name, False) for name in _mapping(given.get("rules"))]
    named += [(("accept", at, "rule"), name, True) for at, name in enumerate(accepted) if isinstance(name, str)]
    if not named or known is None:
        return
    ids = known()
    for path, name, may_be_playbook in named:
        if why := _wrong_name(name, ids, may_be_playbook=may_be_playbook):
            yield Mistake(marked.line_of(path), why)


def _mapping(value: object) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}


def _wrong_name(name: str, ids: Collection[str], *, may_be_playbook: bool) -> str:
    if name in ids and (may_be_playbook or "/" in name):
        return ""
    if name in ids:
        return f"'{name}' is a playbook, not a rule; accept what it finds with 'accept'"
    among = ids if may_be_playbook else [known for known in ids if "/" in known]
    return f"'{name}' is {'no rule and no playbook' if may_be_playbook else 'not a rule'}{_nearest(name, among)}"


def _nearest(name: str, among: Collection[str]) -> str:
    from difflib import get_close_matches  # noqa: PLC0415  only for a mistake

    close = get_close_matches(name, sorted(among), n=1)
    return f"; did you mean {close[0]}?" if close else ""
