from flask import Flask, jsonify, request

from quotes.pricing import price
from quotes.store import remembered

app = Flask(__name__)


@app.get("/quotes")
def quotes():
    meter, starts_at = request.args["meter"], request.args["starts_at"]
    return jsonify(remembered(meter, starts_at, lambda: price(meter, starts_at)))
