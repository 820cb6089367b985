"""PostgreSQL statements, read by PostgreSQL's own grammar into operations."""

from heuristics.sql.postgres.read import read_called, read_postgres

__all__ = ["read_called", "read_postgres"]
