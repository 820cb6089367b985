from flask import Flask

from .check import allowed

app = Flask(__name__)


@app.get("/allowed/<tenant>")
def show(tenant: str):
    return {"allowed": allowed(tenant)}
