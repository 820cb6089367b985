from datetime import UTC, datetime

from fastapi import FastAPI
from mangum import Mangum

from .db import open_session
from .models import Session

app = FastAPI()


@app.post("/sessions", status_code=201)
def start(connector_id: int):
    with open_session() as db:
        row = Session(connector_id=connector_id, started_at=datetime.now(UTC))
        db.add(row)
        db.commit()
        return {"id": row.id}


@app.get("/sessions/{sid}")
def get(sid: int):
    with open_session() as db:
        row = db.get(Session, sid)
        return {"id": sid, "energy_wh": row.energy_wh}


handler = Mangum(app)
