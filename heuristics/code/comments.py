"""Where the comments of a file stand, by the lexer of its language: text in a string is no comment."""

import re
from bisect import bisect_right
from collections.abc import Iterator

from gonogo.pattern import pattern
from heuristics.code.paths import language_of
from heuristics.code.syntax import PARSED, has_errors, parse
from heuristics.sql.comments import sql_comments

_TEXT_LIMIT = 1_500_000
_TEMPLATED = pattern(r"\{#(?:(?!\{#|#\}).)*+#\}|\{\{-?\s?/\*(?:(?!/\*|\*/).)*+\*/\s?-?\}\}|<%#(?:(?!<%#|%>).)*+%>", re.DOTALL)
_LIKE_C = pattern(
    r"""(?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z))|'''.*?'''|\"{3}.*?\"{3}|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`""",
    re.DOTALL,
)
_LIKE_SHELL = pattern(
    r"""(?P<comment>(?:^|(?<=[\s;{}]))\#[^\n]*)|'''.*?'''|\"{3}.*?\"{3}|'[^'\n]*'|"(?:[^"\\\n]|\\.)*\"""",
    re.DOTALL | re.MULTILINE,
)
_OPENS_LINE = pattern(r"(?P<comment>^[ \t]*[#;!][^\n]*)", re.MULTILINE)
_LEXERS = {
    "toml": _LIKE_SHELL,
    "graphql": _LIKE_SHELL,
    "conf": _LIKE_SHELL,
    "nginx": _LIKE_SHELL,
    "make": _LIKE_SHELL,
    "env": _LIKE_SHELL,
    "proto": _LIKE_C,
    "groovy": _LIKE_C,
    "properties": _OPENS_LINE,
    "procfile": _OPENS_LINE,
    "dockerfile": _OPENS_LINE,
}
_QUOTED = pattern(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`""")
_STRINGS = ("string", "heredoc", "quoted")


class Comments:
    """The comments of one file; where its language is unknown or it does not parse, what is no quoted text of its line."""

    def __init__(self, path: str, text: str) -> None:
        self._text = text
        self._comments: list[tuple[int, int]] = []
        self._strings: list[tuple[int, int]] = []
        self._is_sure = False
        language = language_of(path, text.split("\n", 1)[0])
        if language is None or len(text) > _TEXT_LIMIT:
            return
        if language == "sql":
            self._comments, self._is_sure = list(sql_comments(text)), True
        elif (lexer := _LEXERS.get(language)) is not None:
            self._comments, self._is_sure = list(_lexed(text, lexer)), True
        elif language in PARSED:
            self._parse(text, language)

    def has(self, at: int) -> bool:
        """Whether the character at this offset belongs to a comment."""
        if self._is_sure:
            return _inside(self._comments, at)
        if _inside(self._strings, at):
            return False
        start = self._text.rfind("\n", 0, at) + 1
        end = self._text.find("\n", at)
        line = self._text[start : end if end >= 0 else len(self._text)]
        return not any(q.start() < at - start < q.end() for q in _QUOTED.finditer(line))

    def _parse(self, text: str, language: str) -> None:
        root = parse(text, language)
        if root is None:
            return
        for node in root.walk():
            if node.is_named and "comment" in node.kind:
                self._comments.append((node.start, node.end))
            elif node.is_named and any(kind in node.kind for kind in _STRINGS):
                self._strings.append((node.start, node.end))
            elif node.kind == "raw_text":
                self._comments += [(node.start + a, node.start + b) for a, b in _lexed(node.text, _LIKE_C)]
        if language == "html":
            self._comments += [found.span() for found in _TEMPLATED.finditer(text)]
        self._comments = list(_outermost(self._comments))
        self._strings = list(_outermost(self._strings))
        self._is_sure = not has_errors(root)


def _lexed(text: str, lexer: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    return (found.span("comment") for found in lexer.finditer(text) if found["comment"] is not None)


def _outermost(spans: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """In order, without those inside another."""
    end = -1
    for span in sorted(spans, key=lambda s: (s[0], -s[1])):
        if span[0] >= end:
            yield span
            end = span[1]


def _inside(spans: list[tuple[int, int]], at: int) -> bool:
    index = bisect_right(spans, at, key=lambda span: span[0]) - 1
    return index >= 0 and at < spans[index][1]
