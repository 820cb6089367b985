"""Splits a script into statements with their lines, whatever else stands in it.

Quotes, dollar quotes, nested comments, procedure bodies, psql commands, COPY data, templates and `DELIMITER` are seen;
nothing is executed, and time is linear in the text.
"""

import re

from gonogo.pattern import pattern
from gonogo.record import Record

_INTERESTING = pattern(r"""[;'"`$/\-#\\]|\n|\b[A-Za-z_][A-Za-z_0-9]*""")
_DOLLAR = pattern(r"\$(?:[A-Za-z_\x80-\uffff][A-Za-z_0-9\x80-\uffff]*)?\$")
_COPY_STDIN = pattern(r"copy\b.{0,2000}?\bfrom\s+stdin\b", re.IGNORECASE | re.DOTALL)
_DELIMITER = pattern(r"^[ \t]*delimiter[ \t]+(\S+)[ \t]*$", re.IGNORECASE | re.MULTILINE)
_BODY_OWNER = pattern(
    r"create\s+(?:or\s+(?:replace|alter)\s+)?(?:definer\s*=\s*\S+\s+)?(?:temp(?:orary)?\s+)?(?:trigger|procedure|function|event)\b",
    re.IGNORECASE,
)
_END_OF = frozenset({"if", "loop", "while", "repeat"})


class Piece(Record):
    """One statement of a script, without its terminator; lines are 1-based."""

    sql: str
    line: int
    end_line: int


def split_script(text: str, *, first_line: int = 1, is_mysql: bool = False) -> tuple[Piece, ...]:
    """The statements of a script in order; comments before a statement are not part of it."""
    return tuple(_Splitter(text, first_line=first_line, is_mysql=is_mysql).pieces())


class _Splitter:
    """One pass over a script; `start` is where the open statement began, `depth` how many BEGINs of a routine are open."""

    def __init__(self, text: str, *, first_line: int, is_mysql: bool) -> None:
        self.text, self.is_mysql = text, is_mysql
        self.lines_before = first_line
        self.counted_to = self.at = self.depth = 0
        self.delimiter = ";"
        self.start: int | None = None
        self.is_routine, self.previous = False, ""
        self.found: list[Piece] = []

    def pieces(self) -> list[Piece]:
        size = len(self.text)
        while self.at < size:
            if self.delimiter != ";" and self.text.startswith(self.delimiter, self.at):
                self._end_statement(self.at + len(self.delimiter))
                continue
            found = _INTERESTING.search(self.text, self.at)
            end = size if found is None else found.start()
            if self.start is None:
                self.start = self._first_sign(self.at, end)
            if self.delimiter != ";" and (nearer := self.text.find(self.delimiter, self.at, end + 1)) > self.at:
                self.at = nearer
                continue
            if found is None:
                break
            self.at = found.start()
            self._step(found.group())
        if self.start is not None and self.text[self.start :].strip():
            self._close(self.start, size)
        return self.found

    def _step(self, sign: str) -> None:
        """Go past one sign or word."""
        text, at = self.text, self.at
        if sign == "\n":
            self.at += 1
        elif sign == ";":
            self._semicolon()
        elif (sign == "-" and text.startswith("--", at)) or (sign == "#" and self.is_mysql):
            self.at = self._end_of_line(at)
        elif sign == "/" and text.startswith("/*", at):
            if self.start is None and text.startswith(("/*!", "/*+"), at):
                self.start = at
            self.at = self._end_of_comment(at)
        elif sign == "\\" and self.start is None and self._opens_line(at):
            self.at = self._end_of_line(at)
        elif sign[0].isalpha() or sign[0] == "_":
            self._word(sign)
        else:
            self.start = at if self.start is None else self.start
            self.at = self._end_of_quote(at, sign) if sign in "'\"`" else self._end_of_dollar(at) if sign == "$" else at + 1

    def _semicolon(self) -> None:
        if self.delimiter != ";" or self.depth > 0:
            self.at += 1
        else:
            self.at = self._after_statement(self.start, self.at)
            self._reset()

    def _word(self, sign: str) -> None:
        if self.start is None:
            self.start = self.at
            changed = _DELIMITER.match(self.text, self._start_of_line(self.at)) if sign.lower() == "delimiter" else None
            if changed is not None:
                self.delimiter, self.at, self.start = changed.group(1), changed.end(), None
                return
            self.is_routine = _BODY_OWNER.match(self.text, self.at) is not None
        word = sign.lower()
        if self.is_routine:
            self.depth = _depth_after(word, self.previous, self.depth, self.text, self.at)
        self.previous = word
        self.at += len(sign)

    def _end_statement(self, after: int) -> None:
        if self.start is not None:
            self._close(self.start, self.at)
        self.at = after
        self._reset()

    def _reset(self) -> None:
        self.start, self.depth, self.is_routine, self.previous = None, 0, False, ""

    def _first_sign(self, low: int, high: int) -> int | None:
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
        escapes = quote != "`" and (
            self.is_mysql or (quote == "'" and at > 0 and self.text[at - 1] in "eE" and not self._is_word(at - 2))
        )
        at += 1
        mark = re.compile(r"[\\" + quote + "]" if escapes else quote)
        while (found := mark.search(self.text, at)) is not None:
            if found.group() == "\\" or self.text.startswith(quote, found.end()):
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
