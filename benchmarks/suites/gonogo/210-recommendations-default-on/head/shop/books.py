from .db import row, rows


def book(isbn: str) -> dict:
    return row("SELECT * FROM books WHERE isbn = %s", isbn)


def also_bought(isbn: str) -> list[dict]:
    return rows("SELECT other FROM also_bought WHERE isbn = %s", isbn)
