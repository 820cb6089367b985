"""Regular expressions that a change adds to code which runs them on a backtracking engine."""

import re
from collections.abc import Iterator

from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Place
from heuristics.code import is_ci_path, is_migration_path, is_production_code, language_of
from heuristics.code.syntax import Node, parse
from heuristics.code.views import STRING_KINDS, call_of, string_of
from heuristics.code.word_sets import words
from heuristics.hot.spots import function_at
from heuristics.patterns.ambiguous import is_catastrophic
from heuristics.rule import RuleContext
from heuristics.stages import is_elsewhere

_BACKTRACKING = words("python javascript typescript tsx java kotlin ruby php csharp elixir scala swift")
_CALLS = pattern(
    r"(?:^|[.:>])(?:re|regex)\.(?:compile|match|search|fullmatch|sub|subn|findall|finditer|split)$|^(?:RegExp|Regex|NSRegularExpression)$|Regexp\.(?:new|compile)$|Pattern\.(?:compile|matches)$"
    r"|\.(?:matches|replaceAll|replaceFirst|toRegex|matchEntire|containsMatchIn|regex|pattern)$|Regex\.(?:IsMatch|Match|Matches|Replace|Split)$|^preg_\w+$|Regex\.(?:compile!?|match\?|run|scan|replace)$|^(?:Pattern|RegularExpression|RegexValidator|Regexp|regex|pattern)$"
)
_FULL = pattern(r"fullmatch$|\.matches$|matchEntire$|^(?:Pattern|RegularExpression)$|Pattern\.matches$")
_SAFE_ENGINE = pattern(
    r"\bimport\s+re2\b|\bfrom\s+re2\s+import|(?:require\(|from\s+|import\s+|require\s+)[\"'](?:node-|@\w+/)?re2(?:-wasm|js)?[\"']|com\.google\.re2j"
    r"|RegexOptions\.NonBacktracking|google-re2|\bRE2::|\b(?:hyperscan|vectorscan|rure|regress_linear)\b"
)
_TIMED = pattern(r"TimeSpan\.|matchTimeout|(?i:timeout)\s*[:=]")
"""What in the call gives the match up after a time."""
_LITERALS = ("regex", "regex_literal")


class AddedPattern(Record):
    """One pattern. `name` is the constant that holds it, `guard` a line that bounds the length of what it sees.

    `longest` is the least bound on that length that stands near the use, also one that is too wide for a guard.
    """

    place: Place
    pattern: str
    name: str
    guard: Place | None
    longest: int | None = None
    language: str = ""
    is_folded: bool = False
    is_full_match: bool = False
    has_properties: bool = True
    """Whether `\\p{L}` means letters; in JavaScript only with the flag `u` or `v`."""


def added_patterns(context: RuleContext) -> tuple[AddedPattern, ...]:
    """Catastrophic patterns at head that base does not have in the same file."""
    found: list[AddedPattern] = []
    for file in context.changes.files:
        path = file.head_path
        language = language_of(path) if path else None
        if file.is_binary or not file.hunks or not path or language not in _BACKTRACKING or not is_production_code(path):
            continue
        if is_ci_path(path) or is_migration_path(path) or is_elsewhere(path):
            continue
        head = context.head.text(path) or ""
        if _SAFE_ENGINE.search(head) or (language == "ruby" and _ruby_remembers(context)):
            continue
        old = {p for _, p, _, _ in _patterns(context.base.text(file.base_path) or "", language)} if file.base_path else set[str]()
        changed = set(file.added_lines())
        for node, tried, is_folded, is_full in _patterns(head, language):
            if tried in old or not changed & set(range(node.line, node.end_line + 1)):
                continue
            if is_catastrophic(tried, is_folded=is_folded, is_full_match=is_full):
                place = Place(file=path, line=node.line, side="head")
                name = _name_of(node)
                longest, guard = _bound(context, path, head, node.line, name)
                short = guard if longest is not None and longest <= _SHORT else place if _is_timed(node) else None
                found.append(
                    AddedPattern(
                        place,
                        tried,
                        name,
                        short,
                        longest,
                        language or "",
                        is_folded,
                        is_full,
                        _has_properties(node, language or ""),
                    )
                )
    return tuple(found)


def _is_timed(node: Node) -> bool:
    around = next((a for a, _ in zip(node.ancestors(), range(3), strict=False) if call_of(a) is not None), None)
    return around is not None and _TIMED.search(around.text[:3000].replace(node.text, "")) is not None


def _has_properties(node: Node, language: str) -> bool:
    if language not in ("javascript", "typescript", "tsx"):
        return language != "python"
    if node.kind == "regex":
        return re.search(r"/[a-z]*[uv][a-z]*$", node.text[:3000]) is not None
    around = next(iter(node.ancestors()), None)
    return around is not None and re.search(r",\s*[\"'][a-z]*[uv][a-z]*[\"']", around.text[:3000]) is not None


def _patterns(text: str, language: str) -> Iterator[tuple[Node, str, bool, bool]]:
    root = parse(text, language)
    if root is None:
        return
    for node in root.find(*_LITERALS):
        if node.kind == "regex" and language in ("javascript", "typescript", "tsx", "ruby", "swift"):
            found = re.fullmatch(r"(?s)/(.*)/([a-z]*)|%r.(.*).([a-z]*)", node.text[:3000])
            if found:
                yield node, found[1] if found[1] is not None else found[3] or "", "i" in (found[2] or found[4] or ""), False
    for node in root.find("sigil"):
        found = re.fullmatch(r"(?s)~r(?:/(.*)/|.(.*).)([a-z]*)", node.text[:3000])
        if found:
            yield node, found[1] or found[2] or "", "i" in found[3], False
    for node in root.find(*STRING_KINDS):
        made = _holding_call(node)
        if made is None:
            continue
        pattern = _written(node, language)
        if pattern is not None:
            callee, is_folded = made
            is_php = callee.startswith("preg_") and len(pattern) > 2
            yield node, _undelimited(pattern) if is_php else pattern, is_folded, _FULL.search(callee) is not None


def _holding_call(node: Node) -> tuple[str, bool] | None:
    """The call that takes this text as a pattern (its first text), and whether it ignores case."""
    for around, _ in zip(node.ancestors(), range(4), strict=False):
        if around.kind in STRING_KINDS:
            return None
        call = call_of(around)
        if call is None:
            continue
        if not _CALLS.search(call.callee):
            return None
        return call.callee, re.search(
            r"IGNORECASE|re\.I\b|CASE_INSENSITIVE|IgnoreCase|IGNORE_CASE|[\"']i[\"']", around.text[:3000]
        ) is not None
    return None


def _written(node: Node, language: str) -> str | None:
    """The text as the engine gets it: escapes of raw strings stay."""
    written = node.text[:3000]
    if language == "python" and (raw := re.fullmatch(r"(?s)[rRbBuU]*[rR][bB]?(\"\"\"|'''|\"|')(.*)\1", written)):
        return raw[2]
    if language in ("kotlin", "scala") and written.startswith('"""'):
        return written.strip('"')
    if language == "csharp" and written.startswith('@"'):
        return written[2:-1]
    if language in ("php", "ruby") and written.startswith("'"):
        return written[1:-1].replace("\\\\", "\\")
    plain = string_of(node)
    if plain is None:
        return None
    body = written.strip("`\"'")
    return body.replace("\\\\", "\\")


def _undelimited(pattern: str) -> str:
    end = {"(": ")", "{": "}", "[": "]", "<": ">"}.get(pattern[0], pattern[0])
    last = pattern.rfind(end)
    return pattern[1:last] if last > 0 else pattern


def _name_of(node: Node) -> str:
    """The constant or variable that takes the pattern, when the pattern stands outside of a function."""
    for around, _ in zip(node.ancestors(), range(6), strict=False):
        if around.kind in (
            "variable_declarator",
            "assignment",
            "const_element",
            "property_declaration",
            "field_definition",
            "public_field_definition",
            "assignment_expression",
        ):
            found = re.match(r"(?:module\.|exports\.|this\.|self\.|@|\$|val\s+|var\s+)*([A-Za-z_]\w*)", around.text[:200])
            return found[1] if found else ""
    return ""


_COMPARED = pattern(
    r"(?i)(?:(?:\blen|strlen|mb_strlen|count|size)\(\s*[\w.$>\[\]\"'-]*\s*\)|\??\.(?:length|size|count|len)(?:\(\))?|\.Length)\s*(?P<sign>>=?|<=?)\s*(?P<most>\d{1,5}|[A-Za-z_][\w.]{1,60})"
)
_CUT = pattern(
    r"(?i)\.(?:slice|substring|substr|take|first)\(\s*(?:0\s*,)?\s*(\d{1,3})\s*\)|\[:(\d{1,3})\]|max_?length\s*[:=(]+\s*(\d{1,3})\b|\.max\(\s*(\d{1,3})\b|(?:@Size|@Length)\([^)]*max\s*=\s*(\d{1,3})"
)
_REFUSES = pattern(
    r"(?i)\b(return|raise|throw|abort|reject|fail|halt|continue|break|next|exit|4\d\d|error|invalid|bad_?request)\b"
)
_SHORT = 24
"""Characters up to which even exponentially many ways are tried in no time."""


def _bound(context: RuleContext, path: str, text: str, line: int, name: str) -> tuple[int | None, Place | None]:
    """The least length that a line near the use keeps what the pattern sees to, and that line."""
    lines = text.split("\n")
    numbers = {line}
    if name:
        numbers |= {p.line for p in context.head.search({name}).get(name, ()) if p.file == path}
    best: tuple[int | None, Place | None] = (None, None)
    for number in sorted(numbers):
        spot = function_at(context.head, path, number)
        start, end = (spot.start, spot.end) if spot is not None else (max(1, number - 1), number + 1)
        for at in range(start, min(end, len(lines)) + 1):
            for most in _bounds_of(context, lines, at):
                if best[0] is None or most < best[0]:
                    best = most, Place(file=path, line=at, side="head")
    return best


def _bounds_of(context: RuleContext, lines: list[str], at: int) -> Iterator[int]:
    """The greatest lengths that a line lets through: what is compared to pass, or refused above. A least length is none."""
    written = lines[at - 1][:500]
    for found in _CUT.finditer(written):
        yield int(next(g for g in found.groups() if g))
    for found in _COMPARED.finditer(written):
        after = written[found.end() :]
        passes_on = re.match(r"\s*(?:&&|and\b)", after) is not None
        refuses = re.match(r"\s*(?:\|\||or\b)", after) is not None or (
            re.match(r"\s*(?:\}?\s*else\s*)?(?:if|elif|unless|when|guard|assert)\b", written) is not None
            and _REFUSES.search("\n".join((after, *lines[at : at + 2]))[:400]) is not None
        )
        is_upper = (refuses and not passes_on) if found["sign"].startswith(">") else not refuses or passes_on
        most = _length(context, found["most"]) if is_upper else None
        if most is not None:
            yield most


def _length(context: RuleContext, written: str) -> int | None:
    """The number itself, or that of a constant which the tree defines once by this name."""
    if written.isdigit():
        return int(written)
    name = written.rpartition(".")[2]
    given: set[int] = set()
    for place in list(context.head.search({name}).get(name, ()))[:60]:
        line = (context.head.text(place.file) or "").split("\n")[place.line - 1][:300]
        defined = re.search(rf"(?<![\w.]){re.escape(name)}\s*(?::\s*\w+\s*)?(?:\w+\s*)?:?=\s*(\d{{1,5}})\b(?!\s*[*.])", line)
        if defined is not None:
            given.add(int(defined[1]))
    return given.pop() if len(given) == 1 else None


def _ruby_remembers(context: RuleContext) -> bool:
    """From Ruby 3.2 on the engine remembers what it has tried, so that these patterns take linear time."""
    for path in (".ruby-version", "Dockerfile", "Gemfile"):
        found = re.search(r"(?:ruby[:\s\"'-]+|^)(\d)\.(\d{1,2})", (context.head.text(path) or "")[:20_000])
        if found and (int(found[1]), int(found[2])) >= (3, 2):
            return True
    return False
