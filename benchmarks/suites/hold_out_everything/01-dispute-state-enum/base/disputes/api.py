from fastapi import FastAPI

from .store import disputes

app = FastAPI()


@app.get("/merchants/{merchant_id}/disputes")
def index(merchant_id: int):
    return disputes(merchant_id)
