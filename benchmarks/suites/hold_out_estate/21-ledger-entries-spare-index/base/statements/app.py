import os

import psycopg
from flask import Flask, jsonify

from . import queries

app = Flask(__name__)


@app.get("/accounts/<int:account>/statement")
def statement(account: int):
    with psycopg.connect(os.environ["DATABASE_URL"]) as db:
        rows = db.execute(queries.LATEST, (account,)).fetchall()
        fees = db.execute(queries.FEES, (account,)).fetchone()[0] or 0
    return jsonify(fees=fees, entries=[{"kind": k, "cents": c, "at": t.isoformat()} for k, c, t in rows])
