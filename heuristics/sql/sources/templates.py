"""Templates in SQL: placeholders become neutral identifiers for the grammar, and their own text again afterwards."""

import re
from collections.abc import Mapping

from gonogo.pattern import pattern
from gonogo.record import Record

_PLACEHOLDER = pattern(
    r"\{%-?.{0,2000}?-?%\}|\{#.{0,2000}?#\}|\{\{.{0,500}?\}\}|<%=.{0,500}?%>|\$\{[^{}\n]{0,200}\}|\#\{[^{}\n]{0,200}\}"
    r"|%\(\w{1,60}\)s|(?<![:\w]):['\"]\w{1,60}['\"]",
    re.DOTALL,
)
_PSQL_LINE = pattern(r"^\\[^\n]*$", re.MULTILINE)


class Template(Record):
    """The SQL without its placeholders, and what each stands for."""

    sql: str
    places: Mapping[str, str]

    def restored(self, text: str) -> str:
        """The text with the placeholders as they were written."""
        if not self.places:
            return text
        return re.sub(r"template_placeholder_\d+", lambda found: self.places.get(found.group(), found.group()), text)


def neutral(sql: str) -> Template:
    """The SQL with every placeholder as an identifier; control tags are blanked out. Lines stay where they are."""
    places: dict[str, str] = {}

    def replaced(found: "re.Match[str]") -> str:
        text = found.group()
        if text.startswith(("{%", "{#")):
            return "\n" * text.count("\n")
        name = f"template_placeholder_{len(places) + 1}"
        places[name] = text
        return name + "\n" * text.count("\n")

    if not any(mark in sql for mark in ("{{", "{%", "{#", "${", "#{", "<%", "%(", ":'", ':"')):
        return Template(sql, places)
    return Template(_PLACEHOLDER.sub(replaced, sql), places)
