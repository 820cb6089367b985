"""Which model answers for which server, and how its version is written as one number."""

import re
from typing import Literal

Family = Literal["postgres", "mysql", "mariadb", "sqlite", "unknown"]
DEFAULT_VERSION: dict[Family, int] = {"postgres": 15, "mysql": 80036, "mariadb": 101119, "sqlite": 0, "unknown": 0}
"""The version that is taken when none is known; the effect then says where it depends on it."""


def family_of(engine: str) -> Family:
    """`aurora-postgresql`, `postgres`, `MySQL 8` ... as one of the families that have a model."""
    name = engine.lower()
    if "maria" in name:
        return "mariadb"
    if "mysql" in name or name in ("aurora", "percona", "planetscale", "vitess"):
        return "mysql"
    if any(word in name for word in ("postgres", "alloydb", "neon", "supabase", "timescale", "pg")):
        return "postgres"
    if any(word in name for word in ("sqlite", "d1", "libsql", "turso")):
        return "sqlite"
    return "unknown"


_AURORA_3 = {1: 23, 2: 23, 3: 26, 4: 28, 5: 32, 6: 34, 7: 36, 8: 39, 9: 40, 10: 42}
_NEWEST_AURORA_3 = 42
"""Aurora MySQL 3.x by the patch release of MySQL 8.0 that it is built on (the release notes of each minor version)."""


def version_number(engine: str, text: str) -> int | None:
    """The version as the models take it: 15 for PostgreSQL 15.4, 80035 for MySQL 8.0.35, 101119 for MariaDB 10.11.19."""
    aurora = re.search(r"mysql_aurora\.3\.(\d+)", text)
    if aurora is not None:
        return 80_000 + _AURORA_3.get(int(aurora.group(1)), _NEWEST_AURORA_3)
    parts = [int(p) for p in re.findall(r"\d+", text.split("(", maxsplit=1)[0])[:3]]
    if not parts:
        return None
    match family_of(engine):
        case "postgres":
            return parts[0]
        case "mysql" | "mariadb":
            major, minor, patch = (*parts, 0, 0)[:3]
            return major * 10_000 + minor * 100 + patch
        case _:
            return parts[0]
