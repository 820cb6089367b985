import os

import requests

session = requests.Session()
BASE = os.environ["ADDRESS_VENDOR_URL"]


async def normalise(address: dict) -> dict:
    response = session.post(f"{BASE}/normalise", json=address, timeout=5.0)
    response.raise_for_status()
    return response.json()
