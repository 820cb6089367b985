"""Code that makes rows through an ORM or a query builder: the INSERT names the columns that this version knows, and no other."""

import re
from collections.abc import Iterator

from gonogo.pattern import pattern
from gonogo.ports import SourceTree
from heuristics.code.paths import CODE_LANGUAGES, language_of
from heuristics.schema.inserts import Insert
from heuristics.schema.naming import bare, camel, class_names, singular
from heuristics.schema.uses import is_application_path, table_uses

_DECLARED = pattern(r"\b(?:class|struct|model|type|interface|defmodule)\s+([\w.]+)")
_MOST = 20


def model_inserts(tree: SourceTree, table: str) -> tuple[Insert, ...]:
    """Lines of production code that add a row to the table through its mapped class or a builder that names it.

    `columns` is empty: which columns go out is up to what the mapped class has at this side.
    """
    name = bare(table)
    classes = _mapped(tree, name)
    model = camel(singular(name))
    words: set[str] = {*classes, name, model[:1].lower() + model[1:]} - {""}
    found: list[Insert] = []
    for path in sorted({p.file for places in tree.search(words).values() for p in places}):
        if is_application_path(path) and language_of(path) in CODE_LANGUAGES:
            found += _in_file(tree, path, name, classes)
        if len(found) > _MOST:
            break
    return tuple(found[:_MOST])


def _mapped(tree: SourceTree, table: str) -> frozenset[str]:
    """The classes that the code maps to the table; only those, a name that looks alike proves nothing."""
    known = class_names(table)
    found: set[str] = set()
    for use in table_uses(tree, table):
        if use.how != "model":
            continue
        lines = (tree.text(use.file) or "").split("\n")
        around = lines[max(0, use.line - 8) : use.line]
        named = [m[1].rpartition(".")[2] for text in around for m in _DECLARED.finditer(text)]
        found |= {n for n in named[-1:] if n in known or "__tablename__" in " ".join(around[-3:]) or "@Table" in " ".join(around)}
        const = re.search(r"\b(?:const|let|var|val)\s+(\w+)\s*=", lines[use.line - 1])
        found |= {const[1]} if const is not None else set()
    return frozenset(found)


def _in_file(tree: SourceTree, path: str, table: str, classes: frozenset[str]) -> Iterator[Insert]:
    text = (tree.text(path) or "")[:400_000]
    pattern = re.compile("|".join(_shapes(table, classes)))
    for number, line in enumerate(text.split("\n"), start=1):
        if len(line) < 2_000 and not re.match(r"\s*(?:#|//|\*|import\b|from\b|class\b)", line) and pattern.search(line):
            yield Insert(path, number, tree.side, ())
    if classes and re.search(r"\b(?:ModelSerializer|ModelViewSet|CreateAPIView|CreateView|CreateModelMixin|ModelForm)\b", text):
        made = re.compile(rf"^\s*(?:model\s*=\s*|queryset\s*=\s*)(?:\w+\.)?(?:{_any(classes)})\b")
        for number, line in enumerate(text.split("\n"), start=1):
            if made.search(line):
                yield Insert(path, number, tree.side, ())


def _any(names: frozenset[str]) -> str:
    return "|".join(re.escape(n) for n in sorted(names, key=len, reverse=True))


def _shapes(table: str, classes: frozenset[str]) -> Iterator[str]:
    quoted = rf"""["'`:]{re.escape(table)}["'`]?"""
    yield rf"\b(?:knex|trx|db|conn|DB::table|table|query)\(\s*{quoted}\s*\)\s*(?:->|\.)\s*(?:insert|upsert)\w*\("
    yield rf"\b(?:insertInto|insert_all|into|insertGetId)\(\s*{quoted}\s*\)"
    yield rf"\bDB\[{quoted}\]\.(?:insert|multi_insert|import)\b"
    yield rf"\bRepo\.insert\w*\(\s*{quoted}"
    model = camel(singular(table))
    yield rf"\b(?:prisma|db|tx|client|ctx\.db|this\.prisma)\.(?:{model[:1].lower() + model[1:]})\.(?:create|createMany|upsert)\("
    if not classes:
        return
    one = f"(?:{_any(classes)})"
    yield rf"\b{one}\.objects\.(?:create|bulk_create|get_or_create|update_or_create|acreate|abulk_create)\("
    yield rf"\b{one}(?:\.|::)(?:create|create!|createMany|bulkCreate|insert|insert!|insertMany|insert_all!?|upsert|upsert_all|new|build|findOrCreate|find_or_create_by!?|firstOrCreate|updateOrCreate|first_or_create!?)\b"
    yield rf"\b(?:insert|pg_insert|Insert|insertInto|into)\(\s*{one}\b"
    yield rf"\bnew\s+{one}\s*\("
    yield rf"(?:session|db\.session|s|em|manager|entityManager|_?context|_?db)\.(?:add|add_all|persist|save|merge|Add|AddAsync)\(\s*(?:new\s+)?{one}\b"
    yield rf"(?<![\w.]){one}\(\s*(?:\w+\s*=|\*\*)"
    yield rf"(?i:\.(?:create|save|insert|firstorcreate))\(\s*&?(?:\w+\.)?{one}\{{"
    yield rf"%{one}\{{"
    yield rf"(?i:\b\w*{one}\w*repo(?:sitory)?)\.(?:save|saveAll|saveAndFlush|insert|create|persist)\("
