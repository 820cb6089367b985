"""CODEOWNERS: which team owns what, as nodes and `owned_by` edges.

https://docs.github.com/en/repositories/managing-your-repositorys-settings-and-features/customizing-your-repository/about-code-owners
"""

import fnmatch
import re
from collections.abc import Iterable, Sequence

from context_graph.manifests.read import Manifests, NotRead
from gonogo.ports import SourceTree
from gonogo.record import Record
from gonogo.resource import Declared, DeclaredEdge, Relation

PLACES = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS")
MAX_RULES = 5_000
MAX_CHARACTERS = 3_000_000
"""GitHub itself reads no larger file."""
MAX_COMPARED = 500_000
"""Rules times files."""
MAX_DEEP = 3
"""`**` in one pattern; GitHub's own are never deeper, and each one multiplies the time of a match."""
_EVERYTHING = {"*", "**", "/", "/*", "/**", "**/*"}


class _Rule(Record):
    line: int
    pattern: str
    teams: tuple[str, ...]
    matches: re.Pattern[str]


def with_owners(manifests: Manifests, tree: SourceTree) -> Manifests:
    """The manifests with the teams that own the resources' files; the last rule that matches a file counts.

    A rule for the whole repository says who owns the repository, which no manifest declares: it gives no edges.
    """
    place, text = next(((p, t) for p in PLACES if (t := tree.text(p)) is not None and len(t) <= MAX_CHARACTERS), ("", ""))
    rules = tuple(_rules(text))
    files = {d.file for d in manifests.resources}
    if len(rules) * len(files) > MAX_COMPARED:
        why = NotRead(file=place, line=None, why=f"{len(rules):,} rules for {len(files):,} manifests are too many to compare")
        return manifests.model_copy(update={"not_read": (*manifests.not_read, why)})
    owning = {file: rule for file in files if (rule := _owner(file, rules)) is not None}
    edges = [
        DeclaredEdge(
            source=declared.address,
            target=f"team:{team}",
            relation=Relation.OWNED_BY,
            file=place,
            line=rule.line,
            evidence=f"{rule.pattern} is owned by @{team}",
        )
        for declared in {d.address: d for d in manifests.resources}.values()
        if (rule := owning.get(declared.file)) is not None
        for team in rule.teams
    ]
    first = {edge.target: edge for edge in sorted(edges, key=lambda e: -e.line)}
    teams = [
        Declared(kind="team", address=target, name=target.removeprefix("team:"), file=place, line=edge.line, end_line=edge.line)
        for target, edge in sorted(first.items())
    ]
    return manifests.model_copy(update={"resources": (*manifests.resources, *teams), "edges": (*manifests.edges, *edges)})


def _rules(text: str) -> Iterable[_Rule]:
    for number, line in enumerate(text.split("\n")[:MAX_RULES], start=1):
        words = line.partition("#")[0].split()
        if words and len(words[0]) <= 500 and words[0].count("**") <= MAX_DEEP:
            teams = tuple(word[1:] for word in words[1:] if word.startswith("@") and "/" in word)
            yield _Rule(number, words[0], teams, re.compile(_expression(words[0])))


def _owner(file: str, rules: Sequence[_Rule]) -> _Rule | None:
    rule = next((rule for rule in reversed(rules) if rule.matches.match(file)), None)
    return rule if rule is not None and rule.teams and rule.pattern not in _EVERYTHING else None


def _expression(pattern: str) -> str:
    """The regular expression of a pattern, which is written as in .gitignore."""
    is_folder, is_anchored = pattern.endswith("/"), "/" in pattern.rstrip("/")
    parts = [part for part in pattern.strip("/").split("/") if part]
    written = ""
    for number, part in enumerate(parts):
        if part == "**":
            written += "(?:[^/]+/)*" if number < len(parts) - 1 else ".+"
            continue
        written += _segment(part) + ("/" if number < len(parts) - 1 else "")
    ends_open = parts[-1:] != ["*"]  # docs/* owns the files of a folder and not those below it
    tail = "/.*$" if is_folder else "(?:/.*)?$" if ends_open else "$"
    return ("^" if is_anchored else "^(?:.*/)?") + written + tail


def _segment(part: str) -> str:
    return fnmatch.translate(re.sub(r"\*+", "*", part)).removeprefix("(?s:").removesuffix(")\\Z").replace(".*", "[^/]*")
