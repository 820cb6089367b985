from flask import Flask, jsonify

from . import store

app = Flask(__name__)


def iso(value):
    return value.isoformat() if value else None


@app.get("/v2/shipments/<int:shipment_id>")
def detail(shipment_id):
    row = store.shipment(shipment_id)
    if row is None:
        return jsonify(error="not found"), 404
    return jsonify(id=row["id"], state=row["state"], shipped_at=iso(row["shipped_at"]))
