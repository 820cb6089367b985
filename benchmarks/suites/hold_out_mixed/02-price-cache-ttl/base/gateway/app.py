from fastapi import FastAPI

from gateway import cache, engine, settings

app = FastAPI()


@app.get("/prices/{sku}")
async def price(sku: str, country: str = "DE"):
    return await cache.through(f"price:{country}:{sku}", settings.PRICE_TTL_S, lambda: engine.price(sku, country))
