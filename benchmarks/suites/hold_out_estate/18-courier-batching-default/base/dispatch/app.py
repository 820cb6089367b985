import os

from flask import Flask, jsonify, request

from . import flags
from .plan import batched, single

app = Flask(__name__)
flags.start(os.environ["LD_SDK_KEY"])


@app.post("/assign")
def assign():
    order = request.get_json()
    plan = batched if flags.courier_batching(order["city"]) else single
    return jsonify(plan(order))
