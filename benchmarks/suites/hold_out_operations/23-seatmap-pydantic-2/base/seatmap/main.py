from fastapi import FastAPI
from mangum import Mangum

from .models import Hold
from .store import place_hold, seats

app = FastAPI()


@app.get("/events/{event_id}/seats")
def list_seats(event_id: str):
    return seats(event_id)


@app.post("/events/{event_id}/holds")
def hold(event_id: str, body: Hold):
    return place_hold(event_id, body.seat, body.customer)


handler = Mangum(app)
