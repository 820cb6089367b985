"""Data blocks: whatever others wrote stands between marks that it cannot write itself."""

import re

_MARK = re.compile(r"<(?=\s*/?\s*data\b)", re.IGNORECASE)


def data_block(name: str, text: str) -> str:
    """The text as data: a mark inside of it is defused, control characters and invisible ones are shown as their numbers."""
    shown = "".join(c if c in "\n\t" or (c.isprintable() and not _is_invisible(c)) else f"\\u{ord(c):04x}" for c in text)
    return f'<data name="{name}">\n{_MARK.sub("‹", shown)}\n</data>'


def _is_invisible(character: str) -> bool:
    """Tags, joiners and direction marks hide words from a reader that a model still reads."""
    at = ord(character)
    return 0xE0000 <= at <= 0xE007F or 0x200B <= at <= 0x200F or 0x202A <= at <= 0x202E or 0x2060 <= at <= 0x206F or at == 0xFEFF
