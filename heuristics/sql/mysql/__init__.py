"""Statements of MySQL, MariaDB and SQLite, read into operations."""

from heuristics.sql.mysql.read import read_mysql

__all__ = ["read_mysql"]
