import os

from fastapi import FastAPI, HTTPException
from sqlalchemy import create_engine
from sqlalchemy.orm import Session

from .models import Order

engine = create_engine(os.environ["DATABASE_URL"], pool_size=10)
app = FastAPI()


@app.get("/orders/{order_id}")
def get_order(order_id: int):
    with Session(engine) as s:
        order = s.get(Order, order_id)
        if order is None:
            raise HTTPException(404)
        return {"id": order.id, "delivery_kind": order.delivery_kind, "ship_method": order.delivery_kind}
