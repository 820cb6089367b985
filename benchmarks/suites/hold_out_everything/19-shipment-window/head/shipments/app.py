from flask import Flask, jsonify

from . import store
from .dates import iso

app = Flask(__name__)


@app.get("/v2/shipments/<int:shipment_id>")
def detail(shipment_id):
    row = store.shipment(shipment_id)
    if row is None:
        return jsonify(error="not found"), 404
    window = {"from": iso(row["delivery_from"]), "to": iso(row["delivery_to"])}
    return jsonify(id=row["id"], state=row["state"], shipped_at=iso(row["shipped_at"]), window=window)
