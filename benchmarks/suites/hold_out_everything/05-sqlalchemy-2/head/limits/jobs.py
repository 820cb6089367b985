from sqlalchemy import text

from .db import engine


def reset_daily() -> None:
    with engine.begin() as conn:
        conn.execute(text("UPDATE limits SET cents = 100000 WHERE cents < 0"))
