from datetime import date

from fastapi import FastAPI

from .store import free_slots, hold

app = FastAPI()


@app.get("/slots/{day}")
async def slots(day: date):
    return await free_slots(day)


@app.post("/slots/{slot_id}/hold")
async def hold_slot(slot_id: int, people: int = 1):
    return {"held": await hold(slot_id, people)}
