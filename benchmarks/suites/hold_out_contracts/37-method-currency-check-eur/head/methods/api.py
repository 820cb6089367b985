from fastapi import FastAPI, HTTPException

from .currencies import SUPPORTED
from .store import insert

app = FastAPI()


@app.post("/methods", status_code=201)
def create(owner_id: int, iban: str, currency: str):
    if currency not in SUPPORTED:
        raise HTTPException(422, "currency not supported")
    return {"id": insert(owner_id, iban, currency)}
