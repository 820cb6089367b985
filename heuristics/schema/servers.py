"""Which server runs the migrations, and in which version: from statistics, else from its configuration."""

from gonogo.context import Database, ProductionContext
from gonogo.resource import Relation, Resource
from heuristics.sql.engines import family_of, version_number

ENGINE_KEYS = ("engine", "database_engine", "db_engine", "database_type", "database_version")
VERSION_KEYS = (
    "engine_version",
    "database_version",
    "server_version",
    "postgres_version",
    "pg_version",
    "mysql_version",
    "version",
)
_STEPS = (Relation.DEPLOYS_TO, Relation.WRITES_TO, Relation.READS_FROM, Relation.CONNECTS_TO)


def server_of(database: Database | None, repository: str, production: ProductionContext) -> Database | None:
    """The database with engine and version filled in; without one, the only database server that the repository's programs reach."""
    if database is None and not production.databases:
        found = [r for r in _reached(repository, production) if family_of(engine_of(r)) != "unknown"]
        database = Database(resource=found[0].id, engine=engine_of(found[0])) if len(found) == 1 else None
    resource = production.resource(database.resource) if database is not None else None
    if database is None or resource is None:
        return database
    engine = database.engine if family_of(database.engine) != "unknown" else engine_of(resource) or database.engine
    key = version_key(resource, engine)
    if database.version or key is None:
        return database.model_copy(update={"engine": engine}) if engine != database.engine else database
    return database.model_copy(update={"engine": engine, "version": str(resource.attributes[key])})


def engine_of(resource: Resource) -> str:
    """What kind of database it is: `postgres`, `POSTGRES_15`; empty when its configuration does not say."""
    stated = (str(resource.attributes[k]) for k in ENGINE_KEYS if k in resource.attributes)
    return next((s for s in (*stated, resource.kind) if family_of(s) != "unknown"), "")


def version_key(resource: Resource, engine: str) -> str | None:
    """The attribute that states the server's version."""
    for key in VERSION_KEYS:
        value = resource.attributes.get(key)
        if isinstance(value, str | int | float) and not isinstance(value, bool) and version_number(engine, str(value)):
            return key
    return None


def _reached(repository: str, production: ProductionContext) -> list[Resource]:
    seen, level = {repository}, [repository]
    for _ in range(3):
        level = [
            e.target for at in level for e in production.edges if e.source == at and e.relation in _STEPS and e.target not in seen
        ]
        seen.update(level)
    return [r for r in production.resources if r.id in seen]
