from sqlalchemy import text

from .db import engine


def login(email: str):
    with engine.begin() as tx:
        row = tx.execute(text("SELECT id, password_hash FROM members WHERE email = :e"), {"e": email}).one_or_none()
        if row:
            tx.execute(text("UPDATE members SET last_login = now() WHERE id = :i"), {"i": row.id})
        return row
