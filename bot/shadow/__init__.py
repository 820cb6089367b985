"""A throw-away PostgreSQL on which statements of a pull request are tried out. Read throw_away.py first."""
