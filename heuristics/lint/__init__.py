"""Migrations by themselves: every statement with what it does on the server, and what is wrong with it."""

from heuristics.lint.accepted import LintReport, with_acceptances
from heuristics.lint.schema_file import read_schema_file
from heuristics.lint.statements import Linted, lint

__all__ = ["LintReport", "Linted", "lint", "read_schema_file", "with_acceptances"]
