"""Text of a stranger inside GitHub markdown: no markup, no link, no mention, no reference survives."""

import html
import re

from bot.report.printable import printable_line
from gonogo.redaction import redacted

MAX_TEXT = 2_000
MAX_PLAIN = 70_000
_BEYOND = 1_000
"""Characters past the end that are read, so that a secret which is cut there is known; none is longer but a block of a key."""
_GAP = "&#8203;"
"""A space without width: breaks what GitHub would link, and is not seen."""


def escaped(text: str) -> str:
    """For a paragraph, a heading or an item of a list. Entities are decoded first: GitHub, too, reads `&#64;` as an @."""
    flat = re.sub(r"([\\`*_{}\[\]|~])", r"\\\1", _clipped(_without_entities(text)))
    return _unlinked(flat)


def html_escaped(text: str) -> str:
    """For the inside of an HTML element, where markdown does not reach."""
    return _unlinked(_clipped(_without_entities(text)))


def prose(text: str) -> str:
    """A sentence of ours with `code` in it: the code stays code, the rest is escaped."""
    parts = re.split(r"(`[^`\n]+`)", _clipped(_clean(text)))
    return "".join(part if len(part) > 2 and part[0] == part[-1] == "`" else escaped(part) if part else "" for part in parts)


def code(text: str) -> str:
    """Inline code that its content cannot end."""
    flat = _clipped(_clean(text))
    fence = "`" * (_longest_run(flat) + 1)
    pad = " " if flat.startswith("`") or flat.endswith("`") else ""
    return f"{fence}{pad}{flat}{pad}{fence}" if flat else ""


def block(text: str, indent: str = "", language: str = "") -> list[str]:
    """The lines of a block of code that its content cannot end."""
    text = _clean(text)
    fence = "`" * max(3, _longest_run(text) + 1)
    return [f"{indent}{line}".rstrip() for line in (f"{fence}{language}", *text[:MAX_TEXT].splitlines(), fence)]


def plain(text: str) -> str:
    """For where GitHub shows text and no markdown (titles, annotations): lines stay, and nothing in it pings, refers or leads away."""
    return re.sub(r"[@#](?=\w)|:(?=//)|(?i:\bwww)(?=\.)", lambda m: f"{m[0]}\u200b", _without_entities(text, MAX_PLAIN))


def _without_entities(text: str, most: int = MAX_TEXT) -> str:
    """Decoded and clean: entities can hide a secret, or a sign that is not seen."""
    return _clean(html.unescape(text[: most + _BEYOND]), most)


def _clean(text: str, most: int = MAX_TEXT) -> str:
    """Without secrets and signs that are not seen; before anything is escaped, since a broken secret is not known by its shape."""
    return redacted("\n".join(printable_line(line) for line in text[: most + _BEYOND].split("\n")))


def _clipped(text: str) -> str:
    """On one line, and not endless; a space at an end stays, for what is put together from parts."""
    flat = re.sub(r"\s+", " ", text[:MAX_TEXT])
    return flat if len(text) <= MAX_TEXT else flat[:-1] + "…"


def _unlinked(text: str) -> str:
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    text = text.replace("$", "<span>$</span>")  # two of them in a paragraph would be a formula
    text = re.sub(r"[@#]|:(?=(?:100|1234):)", lambda m: m[0] + _GAP, text)  # GitHub draws `:100:`
    text = re.sub(r"(?i)\b([a-z][a-z0-9+.-]{1,20}):(?=//)", rf"\1:{_GAP}", text)
    return re.sub(r"(?i)\b(www)(?=\.)|\b(GH)(?=-\d)", lambda m: f"{m[0]}{_GAP}", text)


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall(r"`+", text)), default=0)
