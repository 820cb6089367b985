"""Values as programs write them: object literals of TypeScript and JavaScript, keyword arguments of Python, structs of Go."""

import bisect
import re
from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from context_graph.manifests.node import MAX_DEPTH, Node, Reference
from gonogo.pattern import pattern
from gonogo.record import Record

Language = Literal["script", "python", "go"]
_WORD = pattern(r"[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)*")
_GO_TYPE = pattern(r"&?(?:\[\]|\*|map\[\w+\])*(?:\w+\.)?\w+(?=\{)|(?:\[\]|map\[\w+\])\w+(?=\{)")
_NUMBER = pattern(r"-?\d[\d_]*(?:\.\d+)?(?![\w.])")
_WRAPPER = pattern(r"pulumi\.(?:String|Int|Float64|Bool|StringPtr|IntPtr|BoolPtr|ID)")
_KEY = pattern(r"(?:([A-Za-z_$][\w$]*)|\"([^\"\n]{0,200})\"|'([^'\n]{0,200})')\s*([:=])(?!=)")
_SHORTHAND = pattern(r"([A-Za-z_$][\w$]*)\s*(?=[,}])")
_WORDS: Mapping[str, bool | None] = {
    "true": True, "True": True, "false": False, "False": False, "null": None, "None": None, "nil": None, "undefined": None,
}  # fmt: skip
_CLOSES = {"(": ")", "[": "]", "{": "}"}


class ValueReader(Record, frozen=False):
    """Reads one value after the other from the text of a program; `at` is where it stands."""

    text: str
    language: Language
    constants: Mapping[str, Node] = field(default_factory=dict[str, Node])
    """Names whose value is a literal."""
    addresses: Mapping[str, str] = field(default_factory=dict[str, str])
    """Variables that hold a resource → its address."""
    at: int = 0
    _lines: list[int] = field(default_factory=list[int])

    def line(self, at: int | None = None) -> int:
        """The line of an offset; 1-based."""
        if not self._lines:
            self._lines = [m.start() for m in re.finditer("\n", self.text)]
        return bisect.bisect_left(self._lines, self.at if at is None else at) + 1

    def value(self, depth: int = 0) -> Node:
        """The value that begins here; what is not a literal is unknown, with what it refers to."""
        self.skip()
        start = self.at
        found = self._literal(depth) if depth < MAX_DEPTH else None
        self.skip()
        if found is not None and (self.at >= len(self.text) or self.text[self.at] in ",)]};"):
            return found
        self.at = start
        return self._expression()

    def arguments(self, depth: int = 0) -> tuple[list[Node], dict[str, Node]]:
        """What stands between the parenthesis here and its end: by position, and by name."""
        given: list[Node] = []
        named: dict[str, Node] = {}
        self.at += 1
        while not self._ends(")"):
            key = _KEY.match(self.text, self.at) if self.language == "python" else None
            before = self.at
            if key is not None and key[4] == "=":
                self.at = key.end()
                named[key[1] or ""] = self.value(depth + 1)
            else:
                given.append(self.value(depth + 1))
            self._comma(before)
        return given, named

    def skip(self) -> None:
        """Past white space and comments."""
        comment = r"#[^\n]*" if self.language == "python" else r"//[^\n]*|/\*.*?\*/"
        found = re.compile(rf"(?:\s+|{comment})*", re.DOTALL).match(self.text, self.at)
        self.at = found.end() if found is not None else self.at

    def _literal(self, depth: int) -> Node | None:
        text, start, line = self.text, self.at, self.line()
        if start >= len(text):
            return None
        if text[start] in "\"'`":
            return self._string(line)
        if text[start] == "[" and not (self.language == "go" and text.startswith("[]", start)):
            return self._list("]", line, depth)
        if text[start] == "{" and self.language != "go":
            return self._mapping(line, depth)
        number = _NUMBER.match(text, start)
        if number is not None:
            self.at = number.end()
            written = number[0].replace("_", "")
            return Node(float(written) if "." in written else int(written), line, text=number[0])
        struct = _GO_TYPE.match(text, start) if self.language == "go" else None
        if struct is not None:
            self.at = struct.end()
            inside = ValueReader(text, self.language, at=self.at + 1)
            inside.skip()
            is_keyed = _KEY.match(text, inside.at) is not None
            return self._mapping(line, depth) if is_keyed else self._list("}", line, depth)
        word = _WORD.match(text, start)
        return self._named(word[0], line, depth) if word is not None else None

    def _named(self, name: str, line: int, depth: int) -> Node | None:
        self.at += len(name)
        if name in _WORDS:
            return Node(_WORDS[name], line, text=name)
        if self.at < len(self.text) and self.text[self.at] == "(":
            if _WRAPPER.fullmatch(name):
                given, _ = self.arguments(depth)
                return given[0] if len(given) == 1 else None
            if self.language == "python" and name.endswith(("Args", "ArgsDict", "ResourceOptions")):
                _, named = self.arguments(depth)
                return Node(dict(named), line, end_line=self.line())
            return None
        return self.constants.get(name)

    def _string(self, line: int) -> Node | None:
        found = re.compile(r"\"\"\".*?\"\"\"|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`[^`]*`", re.DOTALL).match(
            self.text, self.at
        )
        if found is None:
            return None
        self.at = found.end()
        inner = found[0].strip('"') if found[0].startswith('"""') else found[0][1:-1]
        if found[0][0] == "`" and self.language == "script" and "${" in inner:
            return Node(None, line, text=found[0], is_known=False)
        return Node(re.sub(r"\\(.)", r"\1", inner), line, text=found[0])

    def _list(self, close: str, line: int, depth: int) -> Node:
        items: list[Node] = []
        self.at += 1
        while not self._ends(close):
            before = self.at
            items.append(self.value(depth + 1))
            self._comma(before)
        return Node(items, line, end_line=self.line())

    def _mapping(self, line: int, depth: int) -> Node:
        entries: dict[str, Node] = {}
        self.at += 1
        while not self._ends("}"):
            before = self.at
            key, short = _KEY.match(self.text, self.at), _SHORTHAND.match(self.text, self.at)
            if key is not None and key[4] == ":":
                self.at = key.end()
                entries[key[1] or key[2] or key[3] or ""] = self.value(depth + 1)
            elif short is not None and self.language == "script":
                entries[short[1]] = self.value(depth + 1)
            else:
                self._expression()  # a spread, or a key that is computed
            self._comma(before)
        return Node(entries, line, end_line=self.line())

    def _ends(self, close: str) -> bool:
        self.skip()
        if self.at >= len(self.text):
            return True
        if self.text[self.at] == close:
            self.at += 1
            return True
        return False

    def _comma(self, before: int) -> None:
        self.skip()
        if self.at < len(self.text) and self.text[self.at] == ",":
            self.at += 1
        elif self.at == before:
            self.at += 1  # never stand still

    def _expression(self) -> Node:
        """What is no literal, up to the comma or the bracket that ends it."""
        start, line = self.at, self.line()
        open_: list[str] = []
        token = re.compile(
            r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`[^`]*`|//[^\n]*|[()\[\]{},]|[^\"'`()\[\]{},/]+|.", re.DOTALL
        )
        while self.at < len(self.text):
            found = token.match(self.text, self.at)
            if found is None:
                break
            sign = found[0]
            if not open_ and sign in (",", ")", "]", "}"):
                break
            if sign in _CLOSES:
                open_.append(_CLOSES[sign])
            elif open_ and sign == open_[-1]:
                open_.pop()
            self.at = found.end()
        written = self.text[start : self.at].strip()[:2_000]
        refers = [
            Reference(self.addresses[m[1]], m[2] or "", line)
            for m in re.finditer(r"(?<![\w.$])([A-Za-z_$][\w$]*)\.?([\w$]*)", written)
            if m[1] in self.addresses
        ]
        return Node(None, line, text=written, is_known=False, references=tuple(refers))
