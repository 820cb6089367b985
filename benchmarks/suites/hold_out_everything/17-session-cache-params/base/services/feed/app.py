from flask import Flask, jsonify

from .cache import timeline
from .store import load_timeline

app = Flask(__name__)


@app.get("/feed/<int:user_id>")
def feed(user_id):
    return jsonify(timeline(user_id, load_timeline))
