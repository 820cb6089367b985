from fastapi import FastAPI

from .cache import cached
from .queries import load

app = FastAPI()


@app.get("/banners/{key}")
def get(key: str):
    return cached(f"banners:{key}", lambda: load(key))
