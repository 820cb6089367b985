from fastapi import APIRouter

from .store import find

router = APIRouter()


@router.get("/rates/{item_id}")
def show(item_id: str):
    row = find(item_id)
    return {"id": row["id"], "price": {"amount": row["price"], "currency": "EUR"}}
