from fastapi import FastAPI

from .enrich import enrich
from .store import by_id

app = FastAPI()


@app.get("/healthz")
async def healthz():
    return "ok"


@app.get("/profiles/{profile_id}")
async def profile(profile_id: str):
    row = await by_id(profile_id)
    return {**row, **await enrich(row["email"])}
