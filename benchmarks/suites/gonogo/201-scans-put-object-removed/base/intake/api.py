from fastapi import FastAPI, Request

from . import store

app = FastAPI()


@app.put("/scans/{scan_id}")
async def put(scan_id: str, req: Request):
    store.save(scan_id, await req.body())
    return {"id": scan_id}


@app.delete("/scans/{scan_id}")
def delete(scan_id: str):
    store.forget(scan_id)
