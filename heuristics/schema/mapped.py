"""Columns that a model names for its table on lines of a change, whatever the framework calls them."""

import re
from collections.abc import Collection, Iterator, Sequence

from gonogo.change import ChangeSet
from gonogo.pattern import pattern
from gonogo.ports import SourceTree
from gonogo.record import Record
from heuristics.schema.naming import snake
from heuristics.schema.uses import is_application_path, is_ignored, model_spans

_EXPLICIT = pattern(
    r"""(?<!@)@(?:map|Column|JoinColumn)\(\s*(?:\{[^}\n]{0,120}?\bname\s*[:=]\s*|name\s*=\s*)?["'](?P<a>\w+)["']"""
    r"""|\bgorm:"[^"\n]{0,120}?column:(?P<b>\w+)|\bdb_column\s*=\s*["'](?P<c>\w+)["']|(?<![\w.])(?:mapped_column|Column)\(\s*["'](?P<d>\w+)["']"""
    r"""|\bfield:\s*["'](?P<e>\w+)["']|^\s*(?:va[lr]\s+)?\w+\s*[:=]\s*(?:by\s+)?(?:\w+\.)?(?:text|varchar|integer|bigint|long|bool(?:ean)?|timestamp\w*|date\w*|uuid|jsonb?|decimal|numeric|double|real|char|serial|smallint|reference)\(\s*["'](?P<f>\w+)["']"""
    r"""|^\s*field\s+:(?P<g>\w+)\s*,|\[Column\(\s*"(?P<h>\w+)\""""
)
_IMPLIED = pattern(
    r"""^\s*(?P<a>[a-z]\w*)\s*(?::\s*(?:Mapped|orm\.Mapped)\[[^\n]*)?=\s*(?:\w+\.)?(?:mapped_column|Column)\(|^\s*(?P<b>[a-z]\w*)\s*=\s*models\.(?!ManyToMany)\w+Field\("""
    r"""|^\s*(?P<d>[a-z]\w*)\s*:\s*Mapped\[(?!\s*(?:list|List|set|"))[^\n]*\]\s*$|@Column\([^)\n]*\)\s*(?:readonly\s+|private\s+|public\s+)?(?P<e>[a-z]\w*)[!?]?\s*:"""
    r"""|^\s*(?P<f>[a-z]\w*)\s+(?:String|Int|BigInt|Float|Decimal|Boolean|DateTime|Json|Bytes)\??(?:\s|$)|@Column\b[^\n]*\bprivate\s+[\w<>.]+\s+(?P<g>[a-z]\w*)\s*;"""
)
_FOREIGN = pattern(r"^\s*(?P<a>[a-z]\w*)\s*=\s*models\.(?:ForeignKey|OneToOneField)\(|^\s*belongs_to\s+:(?P<b>\w+)\s*,")
_NO_COLUMN = pattern(
    r"@(?:Transient|ignore|VirtualColumn|Formula|OneToMany|ManyToMany|relation)\b|\bvirtual:\s*true|DataTypes\.VIRTUAL|gorm:\"-|\brelationship\(|column_property\(|hybrid_property|select:\s*false"
)
_SYNCHRONISED = pattern(
    r"(?i)ddl-auto\s*[=:]\s*[\"']?(?:update|create)|hbm2ddl\.auto\W{1,6}(?:update|create)|synchronize\s*:\s*true|\.sync\(\s*\{?\s*(?:alter|force)|AutoMigrate\(|createMissingTablesAndColumns|prisma\W+db\W+push|drizzle-kit\W+push"
)
_SHARE = 0.75


class Mapped(Record):
    """One line of a model that names a column; `names` are the spellings that the framework may give it."""

    file: str
    line: int
    names: frozenset[str]

    @property
    def name(self) -> str:
        """The spelling that databases usually have."""
        return min(self.names, key=lambda n: (n != snake(n), n))


def new_columns(
    changes: ChangeSet, table: str, known: Collection[str], *, base: SourceTree, head: SourceTree
) -> tuple[Mapped, ...]:
    """Columns that lines of this change add to models of the table, where the model's other columns show that its names are understood."""
    have = {k.lower() for k in known}
    found: list[Mapped] = []
    for file in changes.files:
        path = file.head_path
        if path is None or not file.hunks or not is_application_path(path):
            continue
        before = {n for m in _mapped(base, file.base_path, table) for n in m.names}
        after = list(_mapped(head, path, table))
        added = file.added_lines().keys()
        fresh = [m for m in after if m.line in added and not m.names & before]
        others = [m for m in after if m not in fresh]
        understood = [m for m in others if {n.lower() for n in m.names} & have]
        if fresh and understood and len(understood) >= _SHARE * len(others):
            found += fresh
    return tuple(found)


def is_synchronised(tree: SourceTree) -> bool:
    """Whether the application makes its columns itself when it starts, from its models."""
    words = {"synchronize", "sync", "AutoMigrate", "createMissingTablesAndColumns", "auto", "ddl-auto", "push"}
    places = {p.file for listed in tree.search(words).values() for p in listed}
    return any(_SYNCHRONISED.search(tree.text(path) or "") for path in sorted(places)[:200] if not _is_test(path))


def _is_test(path: str) -> bool:
    return re.search(r"(?:^|/)tests?/|\.(?:test|spec)\.", path) is not None


def _mapped(tree: SourceTree, path: str | None, table: str) -> Iterator[Mapped]:
    text = tree.text(path) if path is not None else None
    if path is None or text is None or len(text) > 400_000:
        return
    lines = text.split("\n")
    for first, last in model_spans(path, lines, table):
        for number in range(_opening(lines, first), last + 1):
            names = _names(lines, number)
            if names and not is_ignored(lines, number, names):
                yield Mapped(path, number, names)


def _opening(lines: Sequence[str], first: int) -> int:
    """The line that opens the block which `}, { tableName: "boats" })` closes; else the line itself."""
    if not lines[first - 1].lstrip().startswith(("}", ")")):
        return first
    indent = len(lines[first - 1]) - len(lines[first - 1].lstrip())
    for number in range(first - 1, max(0, first - 400), -1):
        text = lines[number - 1]
        if text.strip() and len(text) - len(text.lstrip()) <= indent:
            return number
    return first


def _names(lines: Sequence[str], number: int) -> frozenset[str]:
    line = lines[number - 1][:600]
    if _NO_COLUMN.search(line) or line.lstrip().startswith(("#", "//", "*", "--")):
        return frozenset()
    if (said := _first(_EXPLICIT.search(line))) is not None:
        return frozenset({said})
    if (said := _first(_FOREIGN.search(line))) is not None:
        return frozenset({f"{said}_id"})
    said = _first(_IMPLIED.search(line))
    return frozenset({said, snake(said)}) if said is not None else frozenset()


def _first(found: re.Match[str] | None) -> str | None:
    return next((g for g in found.groupdict().values() if g), None) if found is not None else None
