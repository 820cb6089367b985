from fastapi import FastAPI

from .seats import hold

app = FastAPI()


@app.post("/events/{event}/hold")
def create_hold(event: str, seats: list[str]):
    return hold(event, seats)
