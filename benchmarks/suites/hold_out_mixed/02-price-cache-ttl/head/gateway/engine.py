import os

import httpx

from gateway import settings

http = httpx.AsyncClient(base_url=os.environ["ENGINE_URL"], timeout=settings.ENGINE_TIMEOUT_S)


async def price(sku, country):
    res = await http.get(f"/price/{sku}", params={"country": country.upper()})
    res.raise_for_status()
    return res.json()
