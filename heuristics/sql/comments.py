"""Where the comments of an SQL script stand. What is in quotes is none; a body after AS or DO is code with comments of its own."""

import re

from gonogo.pattern import pattern

Span = tuple[int, int]
_NEXT = pattern(r"--|/\*|#|'|\"|`|\$(?:[A-Za-z_\x80-\uffff][A-Za-z_0-9\x80-\uffff]*)?\$")
_BLOCK = pattern(r"/\*|\*/")
_CODE_FOLLOWS = pattern(r"\b(?:as|do)\s*\Z", re.IGNORECASE)
_PLAIN = {q: pattern(q) for q in "'\"`"}
_ESCAPED = {q: pattern(rf"\\|{q}") for q in "'\""} | {"`": _PLAIN["`"]}


def sql_comments(text: str) -> tuple[Span, ...]:
    """`(start, end)` of every comment, in order.

    Whether a backslash escapes a quote depends on the server (MySQL: yes, PostgreSQL: only in E''). Where both readings of
    a script come to an end, a comment is what is one in both.
    """
    plain, is_whole = _read(text, escapes=False)
    if "\\" not in text:
        return tuple(plain)
    escaped, is_escaped_whole = _read(text, escapes=True)
    if is_whole != is_escaped_whole:
        return tuple(plain if is_whole else escaped)
    both = set(escaped)
    return tuple(span for span in plain if span in both)


def _read(text: str, *, escapes: bool) -> tuple[list[Span], bool]:
    """The comments, and whether every quote was closed."""
    found: list[Span] = []
    bodies: list[str] = []
    at, nests = 0, True
    while (sign := _NEXT.search(text, at)) is not None:
        mark, at = sign.group(), sign.end()
        if mark == "--" or (mark == "#" and _is_remark(text, sign.start())):
            end = text.find("\n", at)
            at = len(text) if end < 0 else end
            found.append((sign.start(), at))
        elif mark == "/*":
            if text.startswith("!", at):
                continue
            nested = _end_of_nested(text, sign.start()) if nests else None
            nests = nested is not None
            first = text.find("*/", at)
            at = nested if nested is not None else len(text) if first < 0 else first + 2
            found.append((sign.start(), at))
        elif mark.startswith("$"):
            if bodies and bodies[-1] == mark:
                bodies.pop()
            elif _CODE_FOLLOWS.search(text, max(0, sign.start() - 40), sign.start()):
                bodies.append(mark)
            elif not _is_word(text, sign.start() - 1):
                close = text.find(mark, at)
                if close < 0:
                    return found, False
                at = close + len(mark)
        elif mark != "#":
            closed = _end_of_quote(text, at, mark, escapes=escapes or _is_escape_string(text, sign.start()))
            if closed is None:
                return found, False
            at = closed
    return found, True


def _is_remark(text: str, at: int) -> bool:
    """`# words` of MySQL, and none of the operators `#`, `#>`, `#-`, `##` of PostgreSQL."""
    opens_line = not text[text.rfind("\n", 0, at) + 1 : at].strip()
    after = text[at + 1 : at + 2]
    return opens_line or (text[at - 1].isspace() and after not in (">", "-", "#", "=")) or text[at - 1] == ";"


def _end_of_nested(text: str, at: int) -> int | None:
    """Comments nest in PostgreSQL and not in MySQL: where nesting finds no end, the first end counts from there on."""
    depth = 0
    for mark in _BLOCK.finditer(text, at):
        depth += 1 if mark.group() == "/*" else -1
        if depth == 0:
            return mark.end()
    return None


def _end_of_quote(text: str, at: int, quote: str, *, escapes: bool) -> int | None:
    sign = (_ESCAPED if escapes else _PLAIN)[quote]
    while (found := sign.search(text, at)) is not None:
        if found.group() == "\\" or text.startswith(quote, found.end()):
            at = found.end() + 1
        else:
            return found.end()
    return None


def _is_escape_string(text: str, at: int) -> bool:
    return text[at] == "'" and at > 0 and text[at - 1] in "eE" and not _is_word(text, at - 2)


def _is_word(text: str, at: int) -> bool:
    return at >= 0 and (text[at].isalnum() or text[at] == "_")
