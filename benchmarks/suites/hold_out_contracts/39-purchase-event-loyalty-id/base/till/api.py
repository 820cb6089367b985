from fastapi import FastAPI

from .events import purchase

app = FastAPI()


@app.post("/checkout")
def checkout(receipt: str, customer: str, member: str, total_minor: int):
    purchase(receipt, customer, member, total_minor)
    return {"receipt": receipt}
