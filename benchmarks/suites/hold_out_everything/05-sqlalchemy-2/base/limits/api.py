from fastapi import FastAPI
from sqlalchemy import select, text

from .db import Session, engine
from .models import Limit

app = FastAPI()


@app.get("/limits/{account}")
def read(account: str):
    with Session() as session:
        row = session.execute(select(Limit).where(Limit.account == account)).scalar_one_or_none()
        return {"account": account, "cents": row.cents if row else 0}


@app.get("/healthz")
def healthz():
    with engine.connect() as conn:
        conn.execute(text("SELECT 1"))
    return {"ok": True}
