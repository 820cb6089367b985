"""What a reader of one framework hands back: SQL as it will run, with the lines it stands on."""

from gonogo.ports import SourceTree
from gonogo.record import Record
from heuristics.sql.words import Action, Dialect


class SourceFile(Record, kw_only=True):
    """One migration file and what its reader may look at beside it."""

    path: str
    text: str
    dialect: Dialect
    tree: SourceTree

    def lines(self, first: int, last: int) -> str:
        """The source lines from first to last, both included, 1-based."""
        return "\n".join(self.text.split("\n")[first - 1 : last])


class Written(Record, kw_only=True):
    """One call or element of a migration, as the SQL that it will send; None where the text does not settle it."""

    sql: str | None
    line: int
    end_line: int
    transaction: str | None = None
    """The runner's transaction; None outside of one."""
    is_one_string: bool = False
    """All its statements go to the server in one message: together they are an implicit transaction."""
    action: Action | None = None
    """For what has no SQL: what is known of it."""
    table: str | None = None
    """The table, where the SQL does not name it (DROP INDEX)."""
    note: str = ""


class ReadMigration(Record, kw_only=True):
    """Everything a migration file will run going up."""

    framework: str
    migration_id: str | None
    written: tuple[Written, ...]
