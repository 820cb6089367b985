import os

import httpx


def find(item_id: str) -> dict:
    return httpx.get(f"{os.environ['STORE_URL']}/{item_id}", timeout=2).json()
