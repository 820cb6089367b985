"""What statements did on a throw-away database: the locks they took, the tables they wrote anew, the error they ended with."""

from gonogo.word import Word


class Replayed(Word):
    """One statement as it ran."""

    statement: str
    locks: tuple[str, ...] = ()
    """Locks that it took beyond those that its transaction held: the strongest on each table, as `AccessExclusive on orders`."""
    rewrites: tuple[str, ...] = ()
    """Tables whose storage it replaced."""
    sqlstate: str | None = None
    """Of the error that it ended with; None when it ran."""
    error: str = ""
    outside: bool = False
    """It can't run in a transaction, and ran by itself."""


class Replay(Word):
    """What was replayed, in order: after a statement that failed nothing more is run."""

    server: str
    """As `PostgreSQL 16.4`."""
    statements: tuple[Replayed, ...] = ()
    notes: tuple[str, ...] = ()
    """What of the schema is not as in production."""
    seconds: float = 0
    """It took so long; the same on every reading but for this."""

    def locks(self) -> tuple[str, ...]:
        """All locks that were taken, each once, in the order in which they were."""
        return tuple(dict.fromkeys(lock for each in self.statements for lock in each.locks))
