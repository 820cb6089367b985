import requests

from quotes.settings import MARKET_URL


def price(meter: str, starts_at: str) -> dict:
    answer = requests.get(f"{MARKET_URL}/curve", params={"meter": meter, "from": starts_at}, timeout=2)
    answer.raise_for_status()
    return answer.json()
