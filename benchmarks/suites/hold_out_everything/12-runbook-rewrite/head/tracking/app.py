from flask import Flask, jsonify

app = Flask(__name__)


@app.get("/track/<code>")
def track(code):
    return jsonify(code=code, state="in transit")
