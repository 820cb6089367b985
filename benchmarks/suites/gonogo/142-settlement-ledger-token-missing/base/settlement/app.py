from flask import Flask, request

from .ledger import book

app = Flask(__name__)


@app.post("/settle")
def settle():
    return {"batch": book(request.get_json())}
