"""Relations of ORM models that are read from the database when code touches them, and what loads them beforehand."""

import re
from collections.abc import Iterator
from functools import lru_cache

from gonogo.pattern import pattern
from gonogo.ports import SourceTree
from gonogo.record import Record
from heuristics.code import is_production_code


class Relation(Record):
    """`owner` is the model, `accessor` what code writes after a record of it."""

    owner: str
    accessor: str
    target: str
    file: str
    line: int
    is_awaited: bool = False


_DECLARED: dict[str, tuple[tuple[str, ...], re.Pattern[str]]] = {
    "ruby": (
        ("has_many", "belongs_to", "has_one", "has_and_belongs_to_many"),
        pattern(r"^\s*(?:has_many|belongs_to|has_one|has_and_belongs_to_many)\s+:(?P<name>\w+)"),
    ),
    "python": (
        ("ForeignKey", "OneToOneField", "ManyToManyField", "relationship"),
        pattern(
            r"^\s*(?P<name>\w+)\s*(?::[^=]{1,80})?=\s*(?:(?:models\.)?(?:ForeignKey|OneToOneField|ManyToManyField)\(\s*[\"']?(?P<target>[\w.]+)|(?:\w+\.)?relationship\((?!.*lazy\s*=\s*[\"'](?:joined|selectin|subquery|immediate|raise|noload|dynamic)))"
        ),
    ),
    "java": (
        ("OneToMany", "ManyToMany", "ManyToOne", "OneToOne"),
        pattern(r"@(?:OneToMany|ManyToMany|(?:ManyToOne|OneToOne)\([^)]*LAZY)(?!.*EAGER)"),
    ),
    "php": (
        ("hasMany", "belongsTo", "hasOne", "belongsToMany", "morphMany"),
        pattern(r"\$this->(?:hasMany|belongsTo|hasOne|belongsToMany|morphMany)\("),
    ),
    "typescript": (
        ("OneToMany", "ManyToOne", "ManyToMany", "OneToOne", "hasMany", "belongsTo", "belongsToMany", "hasOne"),
        pattern(
            r"@(?:OneToMany|ManyToMany|ManyToOne|OneToOne)\(|(?P<owner>\w+)\.(?:hasMany|belongsToMany|belongsTo|hasOne)\(\s*(?:\w+\.)?(?P<target>\w+)(?:.*\bas:\s*[\"'](?P<alias>\w+))?"
        ),
    ),
    "csharp": (
        ("UseLazyLoadingProxies", "virtual"),
        pattern(r"^\s*public\s+virtual\s+(?:\w+<(?P<target>\w+)>|[A-Z]\w+\??)\s+(?P<name>\w+)\s*\{"),
    ),
}  # fmt: skip
_DECLARED["kotlin"], _DECLARED["javascript"] = _DECLARED["java"], _DECLARED["typescript"]
_LOADERS = (
    "includes", "preload", "eager_load", "select_related", "prefetch_related", "joinedload", "selectinload", "subqueryload", "contains_eager",
    "with", "load", "loadMissing", "EntityGraph", "FETCH", "fetch", "Fetch", "BatchSize", "Include", "ThenInclude", "include", "relations",
)  # fmt: skip
_CLASS = pattern(
    r"^\s*(?:export\s+|public\s+|abstract\s+|final\s+|data\s+|open\s+|partial\s+|default\s+|sealed\s+)*class\s+([A-Z][\w:]*)"
)
_FIELD = pattern(
    r"^\s*(?:private|protected|public|readonly|var|val|lateinit|\s)*(?:(?P<kotlin>\w+)\s*:\s*\S+|(?P<ts>\w+)[!?]?\s*:\s*Promise<.*|[\w<>,.? \[\]]+\s(?P<java>\w+)\s*(?:=.*)?;?)\s*$"
)


@lru_cache(maxsize=4)
def relations_of(tree: SourceTree, language: str) -> tuple[Relation, ...]:
    """Every relation that the models of one language declare as lazily loaded."""
    if language not in _DECLARED:
        return ()
    seen: set[tuple[str, int]] = set()
    keywords, shape = _DECLARED[language]
    found = tree.search(keywords)
    if language == "csharp" and not found.get("UseLazyLoadingProxies"):
        return ()
    made: list[Relation] = []
    for place in sorted({(p.file, p.line) for places in found.values() for p in places})[:3000]:
        if place in seen or not is_production_code(place[0]):
            continue
        seen.add(place)
        lines = (tree.text(place[0]) or "").split("\n")
        written = lines[place[1] - 1][:400] if place[1] <= len(lines) else ""
        match = shape.search(written)
        if match is not None:
            made += _relations(language, place, lines, match)
    return tuple(made)


def _relations(language: str, place: tuple[str, int], lines: list[str], match: re.Match[str]) -> Iterator[Relation]:
    groups = match.groupdict()
    owner = groups.get("owner") or _class_above(lines, place[1])
    if not owner:
        return
    if language in ("java", "kotlin"):
        named = _field_below(lines, place[1], "java", "kotlin")
        if named:
            yield Relation(owner, named, "", *place)
            yield Relation(owner, f"get{named[0].upper()}{named[1:]}", "", *place)
    elif language == "php":
        above = [m[1] for text in lines[max(0, place[1] - 5) : place[1]] if (m := re.search(r"function\s+(\w+)\s*\(", text))]
        if above:
            yield Relation(owner, above[-1], "", *place)
    elif language in ("typescript", "javascript"):
        if groups.get("owner"):
            target = groups.get("target") or ""
            names = [groups["alias"]] if groups.get("alias") else [target, f"{target}s"]
            for name in names:
                yield Relation(owner, f"get{name[:1].upper()}{name[1:]}", target, *place, is_awaited=True)
        elif named := _field_below(lines, place[1], "ts"):
            yield Relation(owner, named, "", *place, is_awaited=True)
    elif name := groups.get("name"):
        yield Relation(owner, name, groups.get("target") or "", *place)
        if language == "python" and "relationship(" not in lines[place[1] - 1]:
            back = re.search(r"related_name\s*=\s*[\"'](\w+)", "\n".join(lines[place[1] - 1 : place[1] + 4])[:800])
            other = (groups.get("target") or "").rpartition(".")[2]
            if other:
                yield Relation(other, back[1] if back else f"{owner.lower()}_set", owner, *place)


def _class_above(lines: list[str], line: int) -> str:
    for text in reversed(lines[:line]):
        if (found := _CLASS.match(text[:300])) is not None:
            return found[1].rpartition(":")[2]
    return ""


def _field_below(lines: list[str], line: int, *groups: str) -> str:
    for text in lines[line - 1 : line + 5]:
        bare = re.sub(r"@\w+(?:\([^()]*(?:\([^()]*\)[^()]*)*\))?", "", text[:400])
        found = _FIELD.match(bare) if bare.strip() else None
        if found is not None:
            return next((found[g] for g in groups if found[g]), "")
    return ""


def is_loaded_before(tree: SourceTree, relation: Relation) -> bool:
    """Whether any code asks for this relation together with its records."""
    accessor = relation.accessor
    names = {accessor, accessor[3:4].lower() + accessor[4:] if accessor.startswith("get") else accessor}
    for places in tree.search(_LOADERS).values():
        for place in places[:1000]:
            lines = (tree.text(place.file) or "").split("\n")
            near = "\n".join(line[:300] for line in lines[max(0, place.line - 1) : place.line + 3])
            if any(re.search(rf"(?:[:\"'.]|__|\w\.){re.escape(n)}(?!\w)", near) and _is_loader(near) for n in names):
                return True
    return False


def _is_loader(near: str) -> bool:
    return re.search(
        r"(?i)\b(?:includes|preload|eager_load|select_related|prefetch_related|joinedload|selectinload|subqueryload|contains_eager|with|load|loadMissing|EntityGraph|ThenInclude|include)\s*[(:]|\bFETCH\s+\w+\.\w|@BatchSize|relations\s*:|@Fetch\(", near
    ) is not None  # fmt: skip
