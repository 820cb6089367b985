"""Versions of libraries and runtimes that a change moves, and code that uses what the new version took away."""
