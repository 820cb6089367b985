from fastapi import FastAPI, HTTPException

from . import store

app = FastAPI()


@app.get("/v1/wishlists/{list_id}")
def wishlist(list_id: str):
    items = store.items(list_id)
    if not items:
        raise HTTPException(404)
    return {"id": list_id, "items": [{"sku": i["sku"], "added": i["added"]} for i in items]}
