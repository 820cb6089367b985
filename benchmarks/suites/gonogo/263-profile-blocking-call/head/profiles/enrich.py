import os

import requests

session = requests.Session()


async def enrich(email: str) -> dict:
    res = session.get(f"{os.environ['ENRICH_URL']}/people", params={"email": email}, timeout=3)
    return res.json() if res.status_code == 200 else {}
