import os

REDIS_URL = os.environ["REDIS_URL"]
MARKET_URL = os.environ["MARKET_URL"]
