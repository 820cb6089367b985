"""Finds the statements of a migration in the source that declares them, framework by framework."""
