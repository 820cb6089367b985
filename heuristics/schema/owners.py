"""Whose column a name is: the table that its alias, its statement, its model or its receiver says.

Two tables often have a column of the same name. `s.fx_rate` in `FROM payouts p JOIN settlements s` is one of `settlements`.
"""

import re
from collections.abc import Collection, Sequence

from gonogo.pattern import pattern
from heuristics.schema.naming import bare, class_names, property_names, singular, snake

_NAME = r"""(?:["'`\[]?\w+["'`\]]?\.)?["'`\[]?(\w+)["'`\]]?"""
_BINDING = re.compile(
    rf"(?i)\b(?:from|join|into|update|using)\s+(?:only\s+|lateral\s+)?{_NAME}(?:\s+(?:as\s+)?(\w+))?|,\s*{_NAME}\s+(?:as\s+)?(\w)\b(?=\s*(?:,|where|join|$))"
)
"""`FROM payouts p`, `JOIN public.settlements AS s`, `, settlements s`."""
_NO_ALIAS = frozenset(
    ["on", "where", "set", "join", "left", "right", "inner", "outer", "full", "cross", "natural", "using", "order", "group", "having", "limit", "offset", "union", "values", "select", "returning", "and", "or", "as", "for", "when", "from"]
)  # fmt: skip
_COMMON = re.compile(r"(?i)\b(\w+)\s*(?:\([\w\s,]*\)\s*)?as\s+(?:not\s+)?(?:materialized\s*)?\(")
_DERIVED = re.compile(r"(?i)\)\s+(?:as\s+)?(\w+)\s+(?:on|where|join|left|inner|group|order|limit)\b")
_EVERYTHING = re.compile(r"(?i)(?:select|,)\s+(?:distinct\s+)?(?:\w+\.)?\*")
_WHOLE = re.compile(r"(?i)\bselect\b.*\bfrom\b|\binsert\s+into\b|\bupdate\b.*\bset\b|\bdelete\s+from\b")
_EDGE = re.compile(r'"""|\'\'\'|`|;\s*$')
_WINDOW = 25
"""Lines of one statement on either side of a line of it."""
_OWNED = pattern(
    r"""(?:__tablename__|db_table|table_name|\$table|@@map|@Table\(\s*(?:name\s*=\s*)?|TableName\(\)\s*string\s*\{\s*return|(?:pg|mysql|sqlite)Table\(|@Entity\(|create_table|\bschema)\W{0,6}["'`:]([\w.]+)"""
)
_HEADER = pattern(
    r"^\s*(?:@\w+.*|(?:export |public |final |abstract |data |pub |sealed |const )*(?:class|model|struct|type|interface|record|entity|schema)\s+\w+|(?:export\s+)?const\s+\w+\s*=\s*\w*[tT]able\()"
)
_CLASS = pattern(r"\b(?:class|model|struct|type|record|entity)\s+(\w+)")


def is_of_other_table(lines: Sequence[str], number: int, table: str, column: str, others: Collection[str] = ()) -> bool:
    """Whether every mention of the column on the line is one of another table; False where nothing says so.

    `others` are other tables that have a column of this name.
    """
    text = lines[number - 1]
    words = property_names(column)
    options = "|".join(re.escape(w) for w in sorted(words, key=len, reverse=True))
    mentions = list(re.finditer(rf"(?<![A-Za-z0-9_$])(?:{options})(?![A-Za-z0-9_$])", text))
    if not mentions:
        return False
    statement = statement_around(lines, number)
    bound = aliases(statement)
    if _declaring_table(lines, number, table, others) is not None:
        return True
    return all(_is_elsewhere(text, m, bare(table), bound, statement, others) for m in mentions)


def statement_around(lines: Sequence[str], number: int) -> str:
    """The lines of the string or statement that the line stands in, as one text; the line alone when it holds a whole one."""
    here = lines[number - 1]
    if _WHOLE.search(here) and not _EDGE.search(here.replace("`", "")):
        return here
    first = last = number - 1
    while first > 0 and number - first < _WINDOW and not _ends(lines[first - 1]) and not _opens(lines[first]):
        first -= 1
    while last + 1 < len(lines) and last - number < _WINDOW and not _closes(lines[last]) and lines[last + 1].strip():
        last += 1
    return "\n".join(lines[first : last + 1])


def _ends(text: str) -> bool:
    return (
        not text.strip() or bool(re.search(r";\s*[\"')]*\s*$", text)) or text.strip() in ('"""', "'''", "`", '""")', "`)", "`;")
    )


def _opens(text: str) -> bool:
    return len(re.findall(r'"""|\'\'\'|`', text)) == 1 and not re.match(r'\s*(?:"""|\'\'\'|`)', text)


def _closes(text: str) -> bool:
    return bool(re.search(r";\s*$", text)) or bool(re.match(r'\s*(?:"""|\'\'\'|`)', text))


def aliases(statement: str) -> dict[str, set[str]]:
    """Alias or name → the tables it stands for in the text; a common table expression or derived table stands for the empty name."""
    found: dict[str, set[str]] = {}
    made = {m[1].lower() for m in _COMMON.finditer(statement)}
    for m in _BINDING.finditer(statement):
        table, alias = (m[1] or m[3] or "").lower(), (m[2] or m[4] or "").lower()
        stands_for = "" if table in made else table
        found.setdefault(table, set()).add(stands_for)
        if alias and alias not in _NO_ALIAS:
            found.setdefault(alias, set()).add(stands_for)
    for m in _DERIVED.finditer(statement):
        if m[1].lower() not in _NO_ALIAS:
            found.setdefault(m[1].lower(), set()).add("")
    return found


def _is_elsewhere(
    text: str, mention: re.Match[str], table: str, bound: dict[str, set[str]], statement: str, others: Collection[str]
) -> bool:
    before = text[: mention.start()]
    qualified = re.search(r"""([\w$]+)["'`\]]?(?:\(\))?[?!]?(?:\.|->|::)["'`\[]?$""", before) or re.search(
        r"""([\w$]+)\[\s*["':]?$""", before
    )
    ours = {table.lower(), singular(table).lower()}
    if qualified is not None:
        name = qualified[1].lower()
        tables = bound.get(name)
        if tables is not None:
            made = "" in tables and bool(_EVERYTHING.search(statement))
            return not tables & ours and not made
        if name in ours or qualified[1] in class_names(table):
            return False
        return any(_speaks_of(qualified[1], other) for other in others)
    bound = aliases(_inner_query(text, mention.start())) or bound
    tables = {t for listed in bound.values() for t in listed if t}
    is_sql = re.search(r"(?i)\b(?:select|update|insert|delete|where|returning)\b", statement) is not None
    return is_sql and bool(tables) and not tables & ours and "" not in {t for listed in bound.values() for t in listed}


def _inner_query(text: str, at: int) -> str:
    """The subquery in parentheses that the position of the line stands in; empty when there is none."""
    depth, start = 0, -1
    for i in range(at - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(text[i], 0)
        if depth < 0 and re.match(r"(?i)\(\s*select\b", text[i:]):
            start = i
            break
        depth = max(depth, 0)
    if start < 0:
        return ""
    depth = 0
    for i in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[i], 0)
        if depth == 0:
            return text[start : i + 1]
    return text[start:]


def _speaks_of(receiver: str, table: str) -> bool:
    name = bare(table).lower()
    return snake(receiver).lower() in {name, singular(name)} or receiver in class_names(table)


def _declaring_table(lines: Sequence[str], number: int, table: str, others: Collection[str]) -> str | None:
    """The other table whose model the line declares a column in."""
    text = lines[number - 1]
    indent = len(text) - len(text.lstrip())
    if not indent:
        return None
    at = number - 2
    while at >= 0 and number - at < 400:
        above = lines[at]
        if above.strip() and len(above) - len(above.lstrip()) < indent:
            if _HEADER.match(above):
                break
            if not above.strip().startswith((")", "]", "}")) and len(above) - len(above.lstrip()) == 0:
                return None
        at -= 1
    if at < 0 or _CLASS.search(text):
        return None
    above = [text for text in lines[max(0, at - 3) : at] if re.match(r"\s*(?:@\w|#\[|\[\w)", text)]
    body = "\n".join([*above, lines[at], *_block(lines, at)])
    named = [bare(m[1]).lower() for m in _OWNED.finditer(body)]
    ours = {bare(table).lower()}
    if named:
        return None if ours & set(named) else named[0]
    title = _CLASS.search(lines[at])
    if title is None or title[1] in class_names(table) or not _MODEL.search(lines[at]):
        return None
    return next((o for o in others if title[1] in class_names(o)), None)


_MODEL = pattern(
    r"^\s*model\s+\w+\s*\{|\bstruct\b|\((?:[\w.]*Model|[\w.]*Base|SQLModel|db\.Model)\b|extends\s+(?:\w*Model|BaseEntity)"
)


def _block(lines: Sequence[str], at: int) -> list[str]:
    indent = len(lines[at]) - len(lines[at].lstrip())
    taken: list[str] = []
    for text in lines[at + 1 : at + 200]:
        if text.strip() and len(text) - len(text.lstrip()) <= indent:
            break
        taken.append(text)
    return taken
