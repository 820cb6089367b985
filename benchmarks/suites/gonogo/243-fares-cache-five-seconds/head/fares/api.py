from fastapi import FastAPI

from .cache import cached
from .queries import load

app = FastAPI()


@app.get("/fares/{key}")
def get(key: str):
    return cached(f"fares:{key}", lambda: load(key))
