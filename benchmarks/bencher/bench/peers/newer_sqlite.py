"""SQLite 3.42 or later under the name `sqlite3`: DBOS needs it for the default of a column, and the system's may be older."""

import sys

import pysqlite3

sys.modules["sqlite3"] = pysqlite3
