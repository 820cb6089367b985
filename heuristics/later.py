"""Rules whose modules load only when the change has what they are about: most changes hold no SQL."""

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import cast

from gonogo.change import ChangeSet
from gonogo.finding import Finding
from gonogo.pattern import pattern
from heuristics.rule import Rule, RuleContext, RuleInfo
from heuristics.sql import is_migration_path

_SQL = pattern(
    r"(?i)\b(?:vacuum|reindex|cluster|truncate|create|drop|alter|lock|refresh)\b[\s(]|\bupdate\s+\S+\s+set\b|\bdelete\s+from\b|\binsert\s+into\b"
)
_OF_MIGRATIONS = pattern(r"(?i)migrat|alembic|flyway|liquibase|changelog|atlas|drizzle|prisma|\.sql$")
_COLUMN = pattern(
    r"(?i)\bselect\b|\bwhere\b|\b(?:mapped_|join_?)?column\b|models\.\w*(?:field|key)\b|\bfield\s+:|\bfield\(|datatypes?\.|(?:gorm|db|bun|xorm|sqlx|diesel|sea_orm)\b|\bmapped\["
    r"|=\s*(?:\w+\.)?(?:text|varchar|integer|bigint|long|bool(?:ean)?|timestamp\w*|date\w*|uuid|json\w*|decimal|numeric|double|real|char|serial|smallint)\("
    r"|:\s*(?:\w+\.)?(?:text|varchar|integer|bigint|boolean|timestamp|date|uuid|jsonb?|decimal|numeric|real|char|serial|smallint)\("
)
_OF_MODELS = pattern(
    r"(?i)(?:^|/)(?:models?|entit(?:y|ies)|schemas?|repositor(?:y|ies)|dao|tables?|domain)(?:/|\.\w+$)|(?:entity|model|repository|dao|schema|table)s?\.\w+$"
)


def mentions_sql(changes: ChangeSet) -> bool:
    """Whether a changed path is about migrations, or a changed line may hold a statement. In doubt it may."""
    for file in changes.files:
        if any(is_migration_path(p) or _OF_MIGRATIONS.search(p) for p in (file.path, file.base_path or file.path)):
            return True
        if any(_SQL.search(line[:2_000]) for hunk in file.hunks for line in (*hunk.added, *hunk.removed)):
            return True
    return False


def mentions_columns(changes: ChangeSet) -> bool:
    """The same, or whether an added line may read or map a column: a query, a model's field, a path of models."""
    return mentions_sql(changes) or any(
        _OF_MODELS.search(file.path) or _COLUMN.search(line[:2_000])
        for file in changes.files
        for hunk in file.hunks
        for line in hunk.added
    )


class LaterRule:
    """A rule by the name of its module. A change for which `when` is false has nothing for it."""

    def __init__(self, module: str, when: Callable[[ChangeSet], bool]) -> None:
        self._module, self._when = module, when

    @property
    def INFO(self) -> RuleInfo:  # noqa: N802  the name of the protocol
        """The rule's identity; loads it."""
        return self._rule.INFO

    def check(self, context: RuleContext) -> Iterator[Finding]:
        """What the rule sees."""
        if self._when(context.changes):
            yield from self._rule.check(context)

    @property
    def _rule(self) -> Rule:
        return cast("Rule", import_module(self._module))
