"""A regular expression as positions with character sets and the steps between them, each with how many ways lead along it.

Characters are a bit mask of ASCII with one bit for the rest. Everything is bounded: long and deep patterns give None.
"""

import re
from dataclasses import field

from gonogo.record import Record

_LENGTH_LIMIT, _POSITIONS_LIMIT, _DEPTH_LIMIT = 1_500, 160, 40
_EXACT_LIMIT, _EXACT_COPIES = 400, 64
_OTHER = 1 << 128
EVERY = (1 << 129) - 1


def _mask(characters: str) -> int:
    return sum({1 << ord(c) for c in characters if ord(c) < 128})


_DIGITS = _mask("0123456789")
_LETTERS = _mask("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_WORD = _DIGITS | _LETTERS | _mask("_")
_SPACE = _mask(" \t\n\r\f\v")
_CLASSES = {
    "d": _DIGITS,
    "w": _WORD,
    "s": _SPACE | _OTHER,
    "D": EVERY & ~_DIGITS,
    "W": EVERY & ~_WORD,
    "S": EVERY & ~_SPACE,
    "h": _mask("0123456789abcdefABCDEF"),
    "R": _mask("\r\n"),
    "N": EVERY,
}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v", "0": "\0"}
_POSIX = {"alpha": _LETTERS, "digit": _DIGITS, "alnum": _LETTERS | _DIGITS, "space": _SPACE, "word": _WORD, "upper": _LETTERS, "lower": _LETTERS, "punct": _mask("!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~"), "xdigit": _CLASSES["h"]}  # fmt: skip


_PROPERTIES = {"l": _LETTERS, "letter": _LETTERS, "alpha": _LETTERS, "alphabetic": _LETTERS, "nd": _DIGITS, "n": _DIGITS, "digit": _DIGITS, "alnum": _LETTERS | _DIGITS}  # fmt: skip
"""Properties of which ASCII has just these characters."""


class Automaton(Record, frozen=False):
    """`sets[i]` is what position i takes; `ways[i][j]` how many ways lead from i to j; the last set is whether an end is asserted.

    `is_faithful`: it takes every text that the pattern takes, along ways that the pattern has too, but for the positions of `loose`.
    """

    sets: list[int] = field(default_factory=list[int])
    ways: dict[int, dict[int, int]] = field(default_factory=dict[int, dict[int, int]])
    first: frozenset[int] = frozenset()
    last: frozenset[int] = frozenset()
    asserts_end: bool = False
    is_nullable: bool = False
    is_faithful: bool = True
    loose: set[int] = field(default_factory=set[int])


class _Part(Record):
    nullable: bool
    first: frozenset[int]
    last: frozenset[int]


_EMPTY = _Part(nullable=True, first=frozenset(), last=frozenset())


def automaton_of(
    pattern: str, *, is_folded: bool = False, is_exact: bool = False, has_properties: bool = False
) -> Automaton | None:
    r"""The automaton of a pattern; None when it is too long, too deep, or not understood. `is_exact` writes more repetitions out.

    `has_properties`: the engine takes `\p{L}` for letters, so that what ASCII has of them is known.
    """
    if len(pattern) > _LENGTH_LIMIT:
        return None
    reader = _Reader(pattern, is_folded=is_folded or pattern.startswith("(?i"), is_exact=is_exact)
    reader.has_properties = has_properties
    try:
        whole = reader.alternatives(0)
    except _NotReadError:
        return None
    if reader.at < len(pattern):
        return None
    made = reader.made
    made.first, made.last, made.is_nullable = whole.first, whole.last, whole.nullable
    return made


class _NotReadError(Exception):
    """The pattern is beyond what is read."""


class _Reader:
    def __init__(self, pattern: str, *, is_folded: bool, is_exact: bool = False) -> None:
        self.text, self.at, self.is_folded, self.made = pattern, 0, is_folded, Automaton()
        self.is_exact = is_exact
        self.has_properties = False

    def alternatives(self, depth: int) -> _Part:
        if depth > _DEPTH_LIMIT:
            raise _NotReadError
        found = self._sequence(depth)
        while self._peek() == "|":
            self.at += 1
            if depth == 0 and self.made.asserts_end | self.text.startswith("^") | self.text.endswith("$"):
                self.made.is_faithful = False  # the ends belong to one alternative
            other = self._sequence(depth)
            found = _Part(found.nullable or other.nullable, found.first | other.first, found.last | other.last)
        return found

    def _sequence(self, depth: int) -> _Part:
        found = _EMPTY
        while self.at < len(self.text) and self._peek() not in "|)":
            start, known = self.at, len(self.made.sets)
            atom = self._atom(depth)
            found = self._joined(found, self._repeated(atom, start, depth, known))
        return found

    def _repeated(self, atom: _Part, start: int, depth: int, known: int) -> _Part:
        """Quantifiers: a bounded one is written out up to a few times, a wide one counts as unbounded."""
        end = self.at
        low, high = self._quantifier()
        if low is None:
            return atom
        if atom is _EMPTY:
            return atom
        after = self.at
        if self._peek() == "+":  # possessive: no way back into it
            self.at += 1
            self.made.is_faithful = False
            return _Part(atom.nullable or low == 0, atom.first, atom.last)
        if self._peek() == "?":
            self.at += 1
        after = self.at
        if high is None or high > 8:
            most = _EXACT_COPIES if self.is_exact else 3
            copies = max(0, min(low, most) - 1)
            self.made.is_faithful &= low <= most
            found = atom
            for _ in range(copies):
                found = self._joined(found, self._again(start, end, depth))
            looped = self._again(start, end, depth) if copies else atom
            self._link(looped.last, looped.first)
            found = self._joined(found, _Part(nullable=True, first=looped.first, last=looped.last)) if copies else found
            self.at = after
            if high is not None:
                self.made.loose.update(range(known, len(self.made.sets)))
            return _Part(found.nullable or low == 0, found.first, found.last)
        found = atom if low else _Part(nullable=True, first=atom.first, last=atom.last)
        written_out = 8 if self.is_exact else 4
        self.made.is_faithful &= 0 < high <= written_out
        for number in range(1, min(high, written_out)):
            again = self._again(start, end, depth)
            found = self._joined(found, again if number < low else _Part(nullable=True, first=again.first, last=again.last))
        self.at = after
        return found

    def _again(self, start: int, end: int, depth: int) -> _Part:
        self.at = start
        found = self._atom(depth + 1)
        self.at = end
        return found

    def _quantifier(self) -> tuple[int | None, int | None]:
        here = self._peek()
        if here in ("*", "+", "?") and here:
            self.at += 1
            return {"*": (0, None), "+": (1, None), "?": (0, 1)}[here]
        found = re.compile(r"\{(\d{0,6})(,?)(\d{0,6})\}").match(self.text, self.at)
        if found is None or not (found[1] or found[3]):
            return None, None
        self.at = found.end()
        low = int(found[1] or 0)
        return low, low if not found[2] else int(found[3]) if found[3] else None

    def _atom(self, depth: int) -> _Part:
        here = self.text[self.at]
        self.at += 1
        if here == "(":
            return self._group(depth)
        if here == "[":
            return self._position(self._class())
        if here == ".":
            return self._position(EVERY & ~_mask("\n"))
        if here == "^":
            self.made.is_faithful &= self.at == 1
            return _EMPTY
        if here == "$":
            self.made.asserts_end = True
            self.made.is_faithful &= self.at == len(self.text)
            return _EMPTY
        if here == "\\":
            return self._escape()
        return self._position(self._of(here))

    def _group(self, depth: int) -> _Part:
        head = re.compile(
            r"\?(?:(?P<plain>:|[a-zA-Z^-]*:|P?<[A-Za-z_]\w*>|'\w+')|(?P<flags>[a-zA-Z-]+)\)|(?P<atomic>>)|(?P<look><?[=!])|(?P<comment>#[^)]*\)))"
        ).match(self.text, self.at)
        if head is None and self._peek() == "?":
            raise _NotReadError
        if head is not None:
            self.at = head.end()
            if head["flags"] is not None:
                self.is_folded = self.is_folded or "i" in head["flags"].partition("-")[0]
                return _EMPTY
            if head["comment"] is not None:
                return _EMPTY
        known = len(self.made.sets)
        found = self.alternatives(depth + 1)
        if self._peek() != ")":
            raise _NotReadError
        self.at += 1
        if head is not None and head["look"] is not None:
            self.made.is_faithful = False
            return _EMPTY
        if head is not None and head["atomic"] is not None:
            self.made.is_faithful = False
            union = 0
            for one in self.made.sets[known:]:
                union |= one
            single = self._position(union)
            return _Part(found.nullable, single.first, single.last)
        return found

    def _escape(self) -> _Part:
        if self.at >= len(self.text):
            raise _NotReadError
        here = self.text[self.at]
        self.at += 1
        if here in "bBAG":
            self.made.is_faithful &= here == "A" and self.at == 2
            return _EMPTY
        if here in "zZ":
            self.made.asserts_end = True
            self.made.is_faithful &= self.at == len(self.text)
            return _EMPTY
        if here.isdigit() and here != "0":
            self.made.is_faithful = False
            return self._position(EVERY)
        if here == "k":
            raise _NotReadError
        return self._position(self._escaped(here))

    def _escaped(self, here: str) -> int:
        self.made.is_faithful &= here not in "hRNKXQE"
        if here in "pP":
            found = re.compile(r"\{\^?(\w+)[^}]{0,40}\}|(\w)").match(self.text, self.at)
            if found is None:
                raise _NotReadError
            self.at = found.end()
            name = (found[1] or found[2] or "").lower()
            self.made.is_faithful &= self.has_properties and name in _PROPERTIES and "^" not in found[0] and "=" not in found[0]
            if name in _PROPERTIES:
                return (EVERY & ~_PROPERTIES[name]) if here == "P" else _PROPERTIES[name] | _OTHER
            base = (
                _DIGITS
                if name.startswith("n")
                else _SPACE
                if name.startswith("z")
                else _POSIX["punct"]
                if name.startswith(("p", "s"))
                else _LETTERS
            )
            return (EVERY & ~base) if here == "P" else base | _OTHER
        if here in "xu":
            found = re.compile(r"\{([0-9a-fA-F]{1,6})\}|([0-9a-fA-F]{4})|([0-9a-fA-F]{2})").match(self.text, self.at)
            if found is None:
                return self._of(here)
            self.at = found.end()
            return self._of(chr(min(int(next(g for g in found.groups() if g), 16), 0x10FFFF)))
        return _CLASSES.get(here) or self._of(_ESCAPES.get(here, here))

    def _class(self) -> int:
        is_negated = self._peek() == "^"
        self.at += is_negated
        found, is_first = 0, True
        while self.at < len(self.text) and (is_first or self._peek() != "]"):
            is_first = False
            if posix := re.compile(r"\[:\^?(\w+):\]").match(self.text, self.at):
                found |= _POSIX.get(posix[1], _LETTERS)
                self.at = posix.end()
                continue
            low = self._member()
            if (
                self.text[self.at : self.at + 1] == "-"
                and self.text[self.at + 1 : self.at + 2] not in ("]", "")
                and isinstance(low, str)
            ):
                self.at += 1
                high = self._member()
                found |= self._range(low, high) if isinstance(high, str) else self._of(low) | self._of("-") | high
            else:
                found |= low if isinstance(low, int) else self._of(low)
        if self._peek() != "]":
            raise _NotReadError
        self.at += 1
        return EVERY & ~found if is_negated else found

    def _member(self) -> int | str:
        here = self.text[self.at]
        self.at += 1
        if here != "\\" or self.at >= len(self.text):
            return here
        here = self.text[self.at]
        self.at += 1
        if here in _CLASSES or here in "pPxu":
            return self._escaped(here)
        return "\b" if here == "b" else _ESCAPES.get(here, here)

    def _range(self, low: str, high: str) -> int:
        found = 0
        for code in range(ord(low), min(ord(high), 127) + 1):
            found |= self._of(chr(code))
        return found | (_OTHER if ord(high) > 127 else 0)

    def _of(self, character: str) -> int:
        if ord(character[0]) > 127:
            return _OTHER
        return _mask(character.lower() + character.upper()) if self.is_folded else _mask(character)

    def _position(self, characters: int) -> _Part:
        if len(self.made.sets) >= (_EXACT_LIMIT if self.is_exact else _POSITIONS_LIMIT):
            raise _NotReadError
        self.made.sets.append(characters)
        here = frozenset((len(self.made.sets) - 1,))
        return _Part(nullable=False, first=here, last=here)

    def _joined(self, left: _Part, right: _Part) -> _Part:
        self._link(left.last, right.first)
        return _Part(
            left.nullable and right.nullable,
            left.first | right.first if left.nullable else left.first,
            left.last | right.last if right.nullable else right.last,
        )

    def _link(self, sources: frozenset[int], targets: frozenset[int]) -> None:
        for source in sources:
            ways = self.made.ways.setdefault(source, {})
            for target in targets:
                ways[target] = min(2, ways.get(target, 0) + 1)

    def _peek(self) -> str:
        return self.text[self.at : self.at + 1]
