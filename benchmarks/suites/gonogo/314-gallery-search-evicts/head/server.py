import os

import redis
from fastapi import FastAPI, Request

from search import run

SEARCH_TTL = int(os.environ["SEARCH_TTL"])
cache = redis.Redis(host=os.environ["REDIS_HOST"])
app = FastAPI()


@app.get("/search")
def search(request: Request):
    q = request.query_params["q"]
    key = f"search:{q}"
    found = cache.get(key)
    if found is None:
        found = run(q)
        cache.set(key, found, ex=SEARCH_TTL)
    return found
