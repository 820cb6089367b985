import os

from fastapi import FastAPI
from sqlalchemy import create_engine, text

from .money import round2
from .statement import STATEMENT_SQL

app = FastAPI()
engine = create_engine(os.environ["DATABASE_URL"], pool_size=10)


@app.get("/v1/merchants/{merchant_id}/statement")
def statement(merchant_id: int):
    with engine.connect() as conn:
        rows = conn.execute(text(STATEMENT_SQL), {"m": merchant_id}).mappings().all()
    return [{"id": r["id"], "amount": str(round2(r["amount"] * r["rate"]))} for r in rows]
