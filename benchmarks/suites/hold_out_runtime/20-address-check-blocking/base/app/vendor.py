import os

import httpx

client = httpx.AsyncClient(base_url=os.environ["ADDRESS_VENDOR_URL"], timeout=5.0)


async def normalise(address: dict) -> dict:
    response = await client.post("/normalise", json=address)
    response.raise_for_status()
    return response.json()
