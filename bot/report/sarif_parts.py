"""The parts of a SARIF document that a check and a lint share: rules with their help, results, locations, suppressions."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from bot.report.rule_pages import rule_pages, summary_of_page, title_of
from gonogo.acceptance import Accepted
from gonogo.change import Side

Json = dict[str, Any]
MAX_RESULTS = 5_000
"""GitHub shows no more of a run, the most severe first."""
_RANK = {"error": 0, "warning": 1, "note": 2}
_SRCROOT = "%SRCROOT%"


@dataclass(frozen=True, slots=True)
class Result:
    """One result before it is written. `same` is what the fingerprint is made from, beside the rule and the file."""

    rule: str
    level: str
    file: str
    line: int
    side: Side
    same: str
    message: str
    end_line: int | None = None
    related: tuple[Json, ...] = ()
    flows: tuple[Json, ...] = ()
    suppressions: tuple[Json, ...] = ()
    properties: Mapping[str, Any] = field(default_factory=dict[str, Any])


def document(
    results: Sequence[Result],
    *,
    version: str,
    category: str,
    invocation: Json,
    provenance: Sequence[Json] = (),
    properties: Mapping[str, Any] | None = None,
) -> Json:
    """The whole log. Results past GitHub's limit are left out, the least severe first, and a notification says so."""
    kept = sorted(results, key=lambda r: (_RANK.get(r.level, 3), r.file, r.line, r.rule))[:MAX_RESULTS]
    if len(results) > len(kept):
        text = f"{len(results) - len(kept):,} results of the lowest level are left out: GitHub shows {MAX_RESULTS:,}"
        notes = [*invocation.get("toolExecutionNotifications", []), {"level": "warning", "message": {"text": text}}]
        invocation = invocation | {"toolExecutionNotifications": notes}
    rules = list(dict.fromkeys(r.rule for r in kept))
    run: Json = {
        "tool": {
            "driver": {
                "name": "gonogo",
                "semanticVersion": version,
                "rules": [_rule(rule, [r.level for r in kept if r.rule == rule]) for rule in rules],
            }
        },
        "automationDetails": {"id": f"gonogo/{category}/"},
        "invocations": [invocation],
        "columnKind": "utf16CodeUnits",
        "results": list(_written(kept, rules)),
        "properties": dict(properties or {}),
    }
    if provenance:
        run["versionControlProvenance"] = list(provenance)
    return {
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [run],
    }


def _rule(rule: str, levels: Sequence[str]) -> Json:
    """A rule with its page as help: GitHub shows `help.markdown` beside the alert."""
    page = rule_pages().get(rule, f"# {rule}\n")
    title = title_of(page) or rule.replace("-", " ")
    return {
        "id": rule,
        "name": "".join(word.capitalize() for word in rule.replace("/", "-").split("-")),
        "shortDescription": {"text": title},
        "fullDescription": {"text": summary_of_page(page) or title},
        "help": {"text": page, "markdown": page},
        "defaultConfiguration": {"level": min(levels, key=lambda level: _RANK.get(level, 3))},
        "properties": {"tags": ["production", rule.partition("/")[0]], "precision": "high"},
    }


def _written(results: Sequence[Result], rules: Sequence[str]) -> Iterator[Json]:
    seen: Counter[str] = Counter()
    places = {rule: place for place, rule in enumerate(rules)}
    for result in results:
        digest = hashlib.sha256(f"{result.rule}\0{result.file}\0{result.same}".encode("utf-8", "replace")).hexdigest()[:32]
        seen[digest] += 1
        fingerprint = f"{digest}:{seen[digest]}"
        written: Json = {
            "ruleId": result.rule,
            "ruleIndex": places[result.rule],
            "level": result.level,
            "message": {"text": result.message},
            "locations": [location(result.file, result.line, side=result.side, end_line=result.end_line)],
            "partialFingerprints": {"primaryLocationLineHash": fingerprint, "gonogo/v1": fingerprint},
        }
        if result.related:
            written["relatedLocations"] = list(result.related)
        if result.flows:
            written["codeFlows"] = list(result.flows)
        if result.suppressions:
            written["suppressions"] = list(result.suppressions)
        if result.properties:
            written["properties"] = dict(result.properties)
        yield written


def location(
    file: str, line: int, *, side: Side = "head", end_line: int | None = None, message: str = "", number: int | None = None
) -> Json:
    """A line of the repository; one that the change removes is where it stood, and says so."""
    region: Json = {"startLine": max(1, line)}
    if end_line is not None and end_line > line:
        region["endLine"] = end_line
    found: Json = {
        "physicalLocation": {"artifactLocation": {"uri": quote(file, safe="/"), "uriBaseId": _SRCROOT}, "region": region}
    }
    said = message if side == "head" else f"{message} (before the change)".strip()
    if said:
        found["message"] = {"text": said}
    if number is not None:
        found["id"] = number
    return found


def suppressions(accepted: Accepted | None) -> tuple[Json, ...]:
    """What is accepted stays in the document, with who did it and why; what blocks all the same is under review."""
    if accepted is None:
        return ()
    kind = "external" if accepted.by.startswith(".github/") else "inSource"
    until = f" (until {accepted.until.isoformat()})" if accepted.until is not None else ""
    status = "accepted" if accepted.lifts else "underReview"
    return ({"kind": kind, "status": status, "justification": f"{accepted.reason}{until}; {accepted.by}"},)


def told(message: str, safe_alternative: str) -> str:
    """A message with what to do instead."""
    said = f"{message[:1].upper()}{message[1:]}".rstrip(".") + "."
    return f"{said} Safe alternative: {safe_alternative}" if safe_alternative else said
