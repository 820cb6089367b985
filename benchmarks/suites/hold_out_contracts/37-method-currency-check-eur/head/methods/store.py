import os

from sqlalchemy import create_engine, text

engine = create_engine(os.environ["DATABASE_URL"], pool_size=5)


def insert(owner_id: int, iban: str, currency: str) -> int:
    with engine.begin() as cx:
        q = text("INSERT INTO payout_methods (owner_id, iban, currency) VALUES (:o, :i, :c) RETURNING id")
        return cx.execute(q, {"o": owner_id, "i": iban, "c": currency}).scalar_one()
