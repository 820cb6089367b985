"""Names of metrics that code exports, in clients of Prometheus, OpenTelemetry, Micrometer, StatsD and CloudWatch, and those that a change drops."""

import re
from collections.abc import Iterator
from dataclasses import replace

from gonogo.change import ChangedFile
from gonogo.pattern import pattern
from gonogo.record import Record
from heuristics.code.paths import CODE_LANGUAGES, is_docs_path, is_test_path, language_of
from heuristics.rule import RuleContext

_NAME = r"[A-Za-z][\w.:/-]{2,100}"
_MADE = pattern(
    rf"(?i)\b(?:\w*(?:gauge|counter|histogram|summary|timer|observer)\w*|create_?(?:gauge|counter|histogram)\w*)(?:!|::new|\.new|\.builder|\.build|<\w+>)?\s*\(\s*(?:name\s*[=:]\s*)?[\"'`:](?P<name>{_NAME})"
)
_SENT = pattern(
    rf"(?i)\b(?:put_?metric|add_?metric|record_?metric|emit_?metric|track_?metric|(?:\w*statsd\w*|stats|dogstatsd|metrics)\.\w+)\s*\(\s*(?:name\s*[=:]\s*)?[\"'`](?P<name>{_NAME})[\"'`]"
)
_CALLED = pattern(rf"(?i)\bmetric_?name[\"']?\s*(?:[:=]|\()\s*[\"'`](?P<name>{_NAME})[\"'`]")
_OPTIONS = pattern(r"(?i)(?:Opts|Gauge|Counter|Histogram|Summary|Timer)\w*(?:!|::new|\.build\(\))?\s*[({]")
_FIELD = pattern(rf"(?i)(?<![\w.])\.?(name|namespace|subsystem|prefix)[\"']?\s*(?:[:=]|\()\s*[\"'`]({_NAME})[\"'`]")
_WORDS = pattern(r"[\"'`]([a-z][a-z\d]*(?:[_.][a-z\d]+)+)[\"'`]")
_SPLIT = pattern(r"[^A-Za-z0-9]+")
_SUFFIX = pattern(
    r"(?:_(?:total|sum|count|bucket|max|created|seconds|milliseconds|ms|bytes|per_second|per_minute|rate|gauge|counter|value|mean))+$"
)


class LostMetric(Record):
    """A name that production code exported before the change and exports no more, as one word with underscores."""

    name: str
    file: str
    base_line: int
    head_line: int | None
    """The line that gives another name instead."""
    is_made: bool
    """Whether the code around it makes a metric; else it is only a text that may name one."""
    is_open: bool = False
    """Whether the new lines hold an end of the name: a prefix from elsewhere may make the same name of it."""


def metric_word(name: str) -> str:
    """One spelling of a name, whatever separates its words: `songs.waiting` and `songs_waiting` are one metric."""
    return _SPLIT.sub("_", name).strip("_").lower()


def reads_metric(text: str, name: str) -> bool:
    """Whether a query, or a name, is of this metric: with the suffixes that exporters and adapters add, and with no other words."""
    bare = _SUFFIX.sub("", name)
    for token in re.findall(r"[A-Za-z_][\w.:/-]*", text[:4_000]):
        for part in (token, token.rpartition("/")[2], token.rpartition(":")[2]):
            word = metric_word(part)
            if word == name or (len(bare) >= _DISTINCT and _SUFFIX.sub("", word) == bare):
                return True
    return False


_DISTINCT = 6
_LONGEST = 400_000


def lost_metrics(context: RuleContext) -> tuple[LostMetric, ...]:
    """Every such name, in the order of the files."""
    lost = [one for file in context.changes.files for one in _in_file(context, file)]
    if not lost:
        return ()
    kept = {
        name for file in context.changes.files if file.head_path for name in _exported(context.head.text(file.head_path) or "")
    }
    lost = [replace(one, is_open=_may_be_joined(context, one)) for one in lost if one.name not in kept]
    spelled = {one.name: _spellings(context, one) for one in lost}
    if not lost:
        return ()
    found = context.head.search({s for names in spelled.values() for s in names})
    return tuple(one for one in lost if not any(_is_exporting(p.file) for s in spelled[one.name] for p in found.get(s, ())))


def _may_be_joined(context: RuleContext, one: LostMetric) -> bool:
    ends = {one.name.split("_", n)[-1] for n in range(1, one.name.count("_") + 1)}
    for file in context.changes.files:
        if file.head_path is None or not _is_exporting(file.head_path):
            continue
        lines = (context.head.text(file.head_path) or "").split("\n")
        for number in file.added_lines():
            for quoted in _QUOTED.findall(lines[number - 1][:600] if number <= len(lines) else ""):
                if any(metric_word(part) in ends for part in re.findall(r"[\w.:/-]+", quoted) if len(part) > 3):
                    return True
    return False


_QUOTED = pattern(r"[\"'`]([^\"'`\s]{3,120})[\"'`]")


def _spellings(context: RuleContext, one: LostMetric) -> set[str]:
    line = _line(context.base.text(one.file) or "", one.base_line)
    return {one.name} | {m for m in re.findall(rf"[\"'`:]({_NAME})", line) if metric_word(m) == one.name}


def _is_exporting(path: str) -> bool:
    return language_of(path) in CODE_LANGUAGES and not is_test_path(path) and not is_docs_path(path)


def _in_file(context: RuleContext, file: ChangedFile) -> Iterator[LostMetric]:
    if not file.hunks or file.base_path is None or not _is_exporting(file.base_path):
        return
    before = context.base.text(file.base_path) or ""
    removed = {n for hunk in file.hunks for n in range(hunk.base_start, hunk.base_start + hunk.base_count)}
    after = _exported(context.head.text(file.head_path) or "") if file.head_path else {}
    made = _exported(before)
    for name, (first, last) in made.items():
        at = next((n for n in range(first, last + 1) if n in removed), None)
        if at is not None and name not in after:
            yield LostMetric(name, file.base_path, at, _instead(file, at), is_made=True)
    for number in sorted(removed):
        for word in _WORDS.findall(_line(before, number)):
            if metric_word(word) not in made:
                yield LostMetric(metric_word(word), file.base_path, number, _instead(file, number), is_made=False)


def _instead(file: ChangedFile, base_line: int) -> int | None:
    for hunk in file.hunks:
        if hunk.base_start <= base_line < hunk.base_start + hunk.base_count and hunk.head_count > 0 and file.head_path:
            return hunk.head_start + min(base_line - hunk.base_start, hunk.head_count - 1)
    return None


def _exported(text: str) -> dict[str, tuple[int, int]]:
    """Name → the first and the last line that make it."""
    text = text[:_LONGEST]
    found: dict[str, tuple[int, int]] = {}
    for made in (*_MADE.finditer(text), *_SENT.finditer(text), *_CALLED.finditer(text)):
        at = text.count("\n", 0, made.start("name")) + 1
        found.setdefault(metric_word(made["name"]), (at, at))
    for start in _OPTIONS.finditer(text):
        block = _block(text, start.end() - 1)
        fields = [(f[1].lower(), f[2], f.start()) for f in _FIELD.finditer(block)]
        name = next((f for f in fields if f[0] == "name"), None)
        first = _MADE.match(text, start.start())
        if name is None and first is not None:
            name = ("name", first["name"], first.start("name") - start.end() + 1)
        if name is None:
            continue
        before = [f for wanted in ("prefix", "namespace", "subsystem") for f in fields if f[0] == wanted]
        lines = [text.count("\n", 0, start.end() - 1 + f[2]) + 1 for f in (*before, name)]
        word = metric_word("_".join((*(f[1] for f in before), name[1])))
        if before:
            found.pop(metric_word(name[1]), None)
        found.setdefault(word, (min(lines), max(lines)))
    return found


def _block(text: str, start: int) -> str:
    """From an opening bracket to the one that closes it, at most 800 characters."""
    depth = 0
    for at in range(start, min(len(text), start + 800)):
        if text[at] in "({[":
            depth += 1
        elif text[at] in ")}]":
            depth -= 1
            if depth == 0:
                return text[start : at + 1]
    return text[start : start + 800]


def _line(text: str, number: int) -> str:
    lines = text.split("\n")
    return lines[number - 1][:600] if 0 < number <= len(lines) else ""
