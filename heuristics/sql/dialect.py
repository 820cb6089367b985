"""Which database a repository's migrations are for, by its dependencies and configuration."""

import re
from collections import Counter

from gonogo.pattern import pattern
from gonogo.ports import SourceTree
from heuristics.sql.words import Dialect

_MANIFESTS = frozenset(
    [
        "package.json",
        "pyproject.toml",
        "requirements.txt",
        "setup.py",
        "setup.cfg",
        "Pipfile",
        "Gemfile",
        "go.mod",
        "Cargo.toml",
        "pom.xml",
        "build.gradle",
        "build.gradle.kts",
        "mix.exs",
        "composer.json",
        "schema.prisma",
        "alembic.ini",
        "database.yml",
        "drizzle.config.ts",
        "drizzle.config.js",
        "knexfile.js",
        "knexfile.ts",
        "ormconfig.json",
        "docker-compose.yml",
        "docker-compose.yaml",
        "compose.yaml",
        "compose.yml",
        "application.yml",
        "application.yaml",
        "application.properties",
        ".env.example",
        "settings.py",
        "base.py",
        "production.py",
        "database.php",
        "config.toml",
        "atlas.hcl",
        "sqlc.yaml",
        "sqlc.yml",
        "dbconfig.yml",
        "wrangler.toml",
        "wrangler.json",
        "wrangler.jsonc",
        ".sequelizerc",
        "config.js",
        "config.json",
        "data-source.ts",
        "requirements.in",
        "flyway.conf",
        "liquibase.properties",
        "migration_lock.toml",
        "sqitch.conf",
        "diesel.toml",
        "runtime.exs",
        "config.exs",
        "dev.exs",
    ]
)
_SIGNS: tuple[tuple[Dialect, re.Pattern[str]], ...] = (
    (
        "postgres",
        pattern(
            r"postgres(?:ql)?(?:\+\w+)?://|jdbc:postgresql|psycopg|asyncpg|\bpg8000\b|gem\s+[\"']pg[\"']|\"pg\"\s*:|\"postgres\"\s*:"
            r"|jackc/pgx|lib/pq|postgrex|provider\s*=\s*\"postgres|adapter:\s*postgres|django\.db\.backends\.postgresql|tokio-postgres"
            r"|[\"']postgres(?:ql)?[\"']|features[^\n]{0,200}postgres|image:\s*[\"']?(?:\S+/)?postgres|contrib\.postgres|pgvector|@neondatabase"
            r"|engine\s*=?:?\s*[\"']?(?:aurora-)?postgres|pgbouncer|org\.postgresql",
            re.IGNORECASE,
        ),
    ),
    (
        "mysql",
        pattern(
            r"mysql(?:\+\w+)?://|jdbc:mysql|mysqlclient|pymysql|aiomysql|gem\s+[\"'](?:mysql2|trilogy)[\"']|\"mysql2?\"\s*:|go-sql-driver/mysql"
            r"|myxql|provider\s*=\s*\"mysql|adapter:\s*(?:mysql2|trilogy)|django\.db\.backends\.mysql|[\"']mysql2?[\"']|mysql-connector"
            r"|image:\s*[\"']?(?:\S+/)?mysql|engine\s*=?:?\s*[\"']?(?:aurora-)?mysql|@planetscale|features[^\n]{0,200}mysql",
            re.IGNORECASE,
        ),
    ),
    (
        "mariadb",
        pattern(r"jdbc:mariadb|mariadb://|image:\s*[\"']?(?:\S+/)?mariadb|[\"']mariadb[\"']|\"mariadb\"\s*:", re.IGNORECASE),
    ),
    (
        "sqlite",
        pattern(
            r"sqlite(?:\+\w+)?://|jdbc:sqlite|better-sqlite3|gem\s+[\"']sqlite3[\"']|mattn/go-sqlite3|modernc\.org/sqlite|ecto_sqlite"
            r"|provider\s*=\s*\"sqlite|adapter:\s*sqlite3|django\.db\.backends\.sqlite3|[\"']sqlite3?[\"']|d1_databases|@libsql/client",
            re.IGNORECASE,
        ),
    ),
)
_MOST_FILES = 60
_SQL_SIGNS: tuple[tuple[Dialect, re.Pattern[str]], ...] = (
    (
        "postgres",
        pattern(
            r"\bconcurrently\b|\$\$|\b(?:big)?serial\b|\bjsonb\b|\btimestamptz\b|\bnot\s+valid\b|::\w|\bcreate\s+extension\b"
            r"|\bgenerated\s+(?:always|by\s+default)\s+as\s+identity\b|\busing\s+(?:gin|gist|btree|brin)\b|\btext\[\]|\bpublic\.|\bset\s+lock_timeout\b",
            re.IGNORECASE,
        ),
    ),
    (
        "mysql",
        pattern(
            r"`|\bauto_increment\b|\bengine\s*=\s*\w+|\balgorithm\s*=\s*(?:instant|inplace|copy)\b|\bmodify\s+(?:column\s+)?\w|\bunsigned\b|\btinyint\b|\bdatetime\(\d\)",
            re.IGNORECASE,
        ),
    ),
    ("sqlite", pattern(r"\bautoincrement\b|\bpragma\s+\w|\bwithout\s+rowid\b", re.IGNORECASE)),
)


def guess_dialect(tree: SourceTree) -> Dialect:
    """The database that most signs of the repository point at; `unknown` when there is none."""
    found: Counter[Dialect] = Counter()
    looked = 0
    for path in sorted(tree.paths(), key=lambda p: (p.count("/"), p)):
        name = path.rpartition("/")[2]
        if (name not in _MANIFESTS and not name.endswith(".tf")) or "node_modules/" in path or looked >= _MOST_FILES:
            continue
        looked += 1
        text = (tree.text(path) or "")[:200_000]
        own = _declared(name, text)
        if own is not None:
            found[own] += 10
            continue
        weight = 3 if path.count("/") == 0 else 1
        for dialect, sign in _SIGNS:
            if sign.search(text) is not None:
                # A test database is the lighter sign: SQLite beside a server.
                found[dialect] += weight if dialect != "sqlite" or name.startswith("wrangler") else 0
                found["sqlite"] += 0 if dialect != "sqlite" else 1
    best = found.most_common(1)
    return best[0][0] if best and best[0][1] > 0 else "unknown"


def dialect_of_sql(text: str) -> Dialect:
    """The dialect that the words of a script belong to; `unknown` when they fit several."""
    sample = text[:100_000]
    counts: dict[Dialect, int] = {dialect: len(sign.findall(sample)) for dialect, sign in _SQL_SIGNS}
    best = max(counts, key=lambda d: counts[d])
    return best if counts[best] and list(counts.values()).count(counts[best]) == 1 else "unknown"


def _declared(name: str, text: str) -> Dialect | None:
    """A file that names its one database outright."""
    pattern = {
        "schema.prisma": r"datasource\s+\w+\s*\{[^}]*provider\s*=\s*\"(\w+)\"",
        "migration_lock.toml": r"provider\s*=\s*\"(\w+)\"",
    }.get(name) or (r"(?:dialect|driver)\s*:\s*[\"'](\w+)[\"']" if name.startswith("drizzle.config") else None)
    if pattern is None:
        return None
    found = re.search(pattern, text)
    return _NAMES.get(found.group(1).lower()) if found is not None else None


_NAMES: dict[str, Dialect] = {
    "postgresql": "postgres",
    "postgres": "postgres",
    "pg": "postgres",
    "cockroachdb": "postgres",
    "mysql": "mysql",
    "mysql2": "mysql",
    "mariadb": "mariadb",
    "sqlite": "sqlite",
    "d1": "sqlite",
    "turso": "sqlite",
}
