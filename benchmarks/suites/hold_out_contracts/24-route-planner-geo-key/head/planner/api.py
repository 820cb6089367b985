from fastapi import FastAPI

from .geo import locate
from .settings import MAX_STOPS

app = FastAPI()


@app.post("/tours")
def tour(stops: list[str]):
    return [locate(s) for s in stops[:MAX_STOPS]]
