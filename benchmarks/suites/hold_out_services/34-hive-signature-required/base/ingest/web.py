from flask import Flask, abort, request

from ingest import points
from ingest.signing import matches

app = Flask(__name__)


@app.post("/ingest")
def ingest():
    sig = request.headers.get("X-Hive-Signature")
    if sig and not matches(request.get_data(), sig):
        abort(401)
    points.write(request.get_json())
    return "", 204
