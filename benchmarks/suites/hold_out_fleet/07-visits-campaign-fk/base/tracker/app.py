from flask import Flask, request

from .db import engine
from .tables import visits

app = Flask(__name__)


@app.post("/v")
def visit():
    with engine.begin() as conn:
        conn.execute(visits.insert().values(campaign_id=request.json["c"], agent=request.headers.get("user-agent")))
    return "", 204
