from fastapi import FastAPI

from .vendor import normalise

app = FastAPI()


@app.get("/healthz")
async def healthz() -> dict:
    return {"ok": True}


@app.post("/addresses")
async def addresses(address: dict) -> dict:
    return await normalise(address)
