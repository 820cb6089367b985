"""The tokens of one statement, and a cursor over them."""

from collections.abc import Sequence

from gonogo.record import Record
from heuristics.sql.words import Dialect

_MOST = 50_000


class NotRead(Exception):
    """The statement can not be split into words; the message says why."""


class Token(Record):
    """One word, name, literal or sign."""

    text: str
    kind: str
    """`word`, `name` (quoted), `string`, `number`, or `sign`."""

    @property
    def word(self) -> str:
        """Upper case for comparison; empty for a literal or a quoted name."""
        return self.text.upper() if self.kind in ("word", "sign") else ""


def tokens_of(sql: str, dialect: Dialect) -> list[Token]:
    """The tokens of a statement."""
    import sqlglot  # noqa: PLC0415 - a third of a second that only these dialects need
    from sqlglot.errors import TokenError  # noqa: PLC0415
    from sqlglot.tokenizer_core import TokenType  # noqa: PLC0415

    try:
        found = sqlglot.tokenize(sql, read="sqlite" if dialect == "sqlite" else "mysql")
    except (TokenError, ValueError, RecursionError) as refused:
        raise NotRead("it can not be split into words") from refused
    if len(found) == 2 and found[1].token_type is TokenType.STRING and sql[found[1].start : found[1].start + 1] not in ("'", '"'):
        # A command whose rest the tokenizer does not look into (OPTIMIZE, SHOW ...).
        rest = tokens_of(found[1].text, dialect) if found[1].text != sql else []
        return [*(Token(word, "word") for word in found[0].text.split()), *rest]
    if len(found) > _MOST:
        raise NotRead(f"it has more than {_MOST} words")
    written: list[Token] = []
    for token in found:
        match token.token_type:
            case TokenType.STRING | TokenType.NATIONAL_STRING | TokenType.HEREDOC_STRING:
                kind = "string"
            case TokenType.NUMBER:
                kind = "number"
            case TokenType.IDENTIFIER:
                kind = "name"
            case _:
                kind = "word" if token.text[:1].isalpha() or token.text[:1] == "_" else "sign"
        # A word of several parts (`PRIMARY KEY`) is one token there and two here.
        parts = token.text.split() if kind == "word" else [token.text]
        written += [Token(part, kind) for part in parts]
    return written


class Cursor:
    """Reads tokens from the left."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens, self.at = tokens, 0

    @property
    def done(self) -> bool:
        """True at the end."""
        return self.at >= len(self.tokens)

    def peek(self, ahead: int = 0) -> str:
        """The word that comes, in upper case; empty at the end."""
        place = self.at + ahead
        return self.tokens[place].word if place < len(self.tokens) else ""

    def take(self, *words: str) -> bool:
        """Step over exactly these words when they come."""
        if all(self.peek(i) == w for i, w in enumerate(words)):
            self.at += len(words)
            return True
        return False

    def any_of(self, *words: str) -> str:
        """Step over one of these words when it comes."""
        found = self.peek()
        if found in words:
            self.at += 1
            return found
        return ""

    def name(self) -> str:
        """A name, with its schema; empty when none comes."""
        parts: list[str] = []
        while not self.done:
            token = self.tokens[self.at]
            if token.kind not in ("word", "name", "string"):
                break
            parts.append(token.text)
            self.at += 1
            if self.peek() != ".":
                break
            self.at += 1
        return ".".join(parts)

    def text(self) -> str:
        """The next token as it stands."""
        if self.done:
            return ""
        token = self.tokens[self.at]
        self.at += 1
        return token.text

    def group(self) -> list[Token]:
        """The tokens inside the parentheses that come; empty when none do."""
        if self.peek() != "(":
            return []
        depth, start = 0, self.at + 1
        while not self.done:
            sign = self.peek()
            depth += 1 if sign == "(" else -1 if sign == ")" else 0
            self.at += 1
            if depth == 0:
                return list(self.tokens[start : self.at - 1])
        return list(self.tokens[start:])


def split_commas(tokens: Sequence[Token]) -> list[list[Token]]:
    """Parts between commas that stand outside parentheses."""
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        depth += 1 if token.word == "(" else -1 if token.word == ")" else 0
        if token.word == "," and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return [p for p in parts if p]


def names_in(tokens: Sequence[Token]) -> tuple[str, ...]:
    """The first name of each part: the columns of an index or key."""
    return tuple(p[0].text for p in split_commas(tokens) if p[0].kind in ("word", "name", "string"))


def joined(tokens: Sequence[Token]) -> str:
    """Tokens as text again."""
    return " ".join("'" + t.text.replace("'", "''") + "'" if t.kind == "string" else t.text for t in tokens)
