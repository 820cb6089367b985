"""Splits a script into statements with their lines, whatever else stands in it.

Quotes, dollar quotes, nested comments, procedure bodies, psql commands, COPY data, templates and `DELIMITER` are seen;
nothing is executed, and time is linear in the text.
"""

import re
from dataclasses import dataclass

_INTERESTING = re.compile(r"""[;'"`$/\-#\\]|\n|\b[A-Za-z_][A-Za-z_0-9]*""")
_DOLLAR = re.compile(r"\$(?:[A-Za-z_\x80-\uffff][A-Za-z_0-9\x80-\uffff]*)?\$")
_COPY_STDIN = re.compile(r"copy\b.{0,2000}?\bfrom\s+stdin\b", re.IGNORECASE | re.DOTALL)
_DELIMITER = re.compile(r"^[ \t]*delimiter[ \t]+(\S+)[ \t]*$", re.IGNORECASE | re.MULTILINE)
_BODY_OWNER = re.compile(
    r"create\s+(?:or\s+(?:replace|alter)\s+)?(?:definer\s*=\s*\S+\s+)?(?:temp(?:orary)?\s+)?(?:trigger|procedure|function|event)\b",
    re.IGNORECASE,
)
_END_OF = frozenset({"if", "loop", "while", "repeat"})


@dataclass(frozen=True, slots=True)
class Piece:
    """One statement of a script, without its terminator; lines are 1-based."""

    sql: str
    line: int
    end_line: int


def split_script(text: str, *, first_line: int = 1, is_mysql: bool = False) -> tuple[Piece, ...]:
    """The statements of a script in order; comments before a statement are not part of it."""
    return tuple(_Splitter(text, first_line=first_line, is_mysql=is_mysql).pieces())


class _Splitter:
    def __init__(self, text: str, *, first_line: int, is_mysql: bool) -> None:
        self.text, self.is_mysql = text, is_mysql
        self.lines_before = first_line
        self.counted_to = 0
        self.delimiter = ";"
        self.found: list[Piece] = []

    def pieces(self) -> list[Piece]:
        text, at, size = self.text, 0, len(self.text)
        start: int | None = None
        depth, owner, previous = 0, False, ""
        while at < size:
            if self.delimiter != ";" and start is not None and text.startswith(self.delimiter, at):
                self._close(start, at)
                start, at, depth, owner = None, at + len(self.delimiter), 0, False
                continue
            if self.delimiter != ";" and text.startswith(self.delimiter, at):
                at += len(self.delimiter)
                continue
            found = _INTERESTING.search(text, at)
            if found is None:
                start = self._first_token(at, size) if start is None else start
                break
            if start is None:
                start = self._first_token(at, found.start())
            if self.delimiter != ";":
                nearer = text.find(self.delimiter, at, found.start() + 1)
                if nearer > at:
                    at = nearer
                    continue
            token, at = found.group(), found.start()
            if token == "\n":
                at += 1
            elif token == ";":
                if self.delimiter != ";" or depth > 0:
                    at += 1
                    continue
                at = self._after_statement(start, at)
                start, depth, owner, previous = None, 0, False, ""
            elif token == "-" and text.startswith("--", at):
                at = self._end_of_line(at)
            elif token == "#" and self.is_mysql:
                at = self._end_of_line(at)
            elif token == "/" and text.startswith("/*", at):
                if start is None and text.startswith(("/*!", "/*+"), at):
                    start = at
                at = self._end_of_comment(at)
            elif token == "\\" and start is None and self._opens_line(at):
                at = self._end_of_line(at)
            elif token in "'\"`":
                start = at if start is None else start
                at = self._end_of_quote(at, token)
            elif token == "$":
                start = at if start is None else start
                at = self._end_of_dollar(at)
            elif token[0].isalpha() or token[0] == "_":
                if start is None:
                    start = at
                    if token.lower() == "delimiter":
                        changed = _DELIMITER.match(text, self._start_of_line(at))
                        if changed is not None:
                            self.delimiter, at, start = changed.group(1), changed.end(), None
                            continue
                    owner = _BODY_OWNER.match(text, at) is not None
                word = token.lower()
                if owner:
                    depth = _depth_after(word, previous, depth, text, at)
                previous = word
                at += len(token)
            else:
                start = at if start is None else start
                at += 1
        if start is not None and self.text[start:].strip():
            self._close(start, size)
        return self.found

    def _first_token(self, low: int, high: int) -> int | None:
        for position in range(low, high):
            if not self.text[position].isspace():
                return position
        return None

    def _close(self, start: int, end: int) -> None:
        sql = self.text[start:end].rstrip()
        if not sql:
            return
        self.lines_before += self.text.count("\n", self.counted_to, start)
        self.counted_to = start
        self.found.append(Piece(sql, self.lines_before, self.lines_before + sql.count("\n")))

    def _after_statement(self, start: int | None, at: int) -> int:
        if start is None:
            return at + 1
        self._close(start, at)
        if _COPY_STDIN.match(self.text, start, at) is None:
            return at + 1
        end = re.compile(r"^\\\.[ \t]*$", re.MULTILINE).search(self.text, at)
        return len(self.text) if end is None else end.end()

    def _start_of_line(self, at: int) -> int:
        return self.text.rfind("\n", 0, at) + 1

    def _opens_line(self, at: int) -> bool:
        return not self.text[self._start_of_line(at) : at].strip()

    def _end_of_line(self, at: int) -> int:
        end = self.text.find("\n", at)
        return len(self.text) if end < 0 else end

    def _end_of_comment(self, at: int) -> int:
        if self.is_mysql:
            end = self.text.find("*/", at + 2)
            return len(self.text) if end < 0 else end + 2
        depth = 0
        for mark in re.compile(r"/\*|\*/").finditer(self.text, at):
            depth += 1 if mark.group() == "/*" else -1
            if depth == 0:
                return mark.end()
        return len(self.text)

    def _end_of_quote(self, at: int, quote: str) -> int:
        escapes = quote != "`" and (self.is_mysql or (quote == "'" and at > 0 and self.text[at - 1] in "eE" and not self._is_word(at - 2)))
        at += 1
        mark = re.compile(r"[\\" + quote + "]" if escapes else quote)
        while (found := mark.search(self.text, at)) is not None:
            if found.group() == "\\":
                at = found.end() + 1
            elif self.text.startswith(quote, found.end()):
                at = found.end() + 1
            else:
                return found.end()
        return len(self.text)

    def _is_word(self, at: int) -> bool:
        return at >= 0 and (self.text[at].isalnum() or self.text[at] == "_")

    def _end_of_dollar(self, at: int) -> int:
        opened = None if self.is_mysql or self._is_word(at - 1) else _DOLLAR.match(self.text, at)
        if opened is None:
            return at + 1
        end = self.text.find(opened.group(), opened.end())
        return len(self.text) if end < 0 else end + len(opened.group())


def _depth_after(word: str, previous: str, depth: int, text: str, at: int) -> int:
    """The nesting of BEGIN ... END after this word of a routine or trigger."""
    if word in ("begin", "case"):
        return depth if previous == "end" else depth + 1
    if word == "end":
        after = re.compile(r"\s*([A-Za-z]+)").match(text, at + 3)
        return depth if after is not None and after.group(1).lower() in _END_OF else max(0, depth - 1)
    return depth
