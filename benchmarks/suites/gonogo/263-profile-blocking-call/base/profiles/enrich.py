import os

import httpx

client = httpx.AsyncClient(base_url=os.environ["ENRICH_URL"], timeout=3)


async def enrich(email: str) -> dict:
    res = await client.get("/people", params={"email": email})
    return res.json() if res.status_code == 200 else {}
