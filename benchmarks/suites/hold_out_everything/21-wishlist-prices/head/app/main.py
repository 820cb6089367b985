from fastapi import FastAPI, HTTPException

from . import serialize, store

app = FastAPI()


@app.get("/v1/wishlists/{list_id}")
def wishlist(list_id: str):
    items = store.items(list_id)
    if not items:
        raise HTTPException(404)
    return {"id": list_id, "items": [serialize.item(i) for i in items]}
