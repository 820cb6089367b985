from flask import Flask, request, send_file

from .workbook import build

app = Flask(__name__)


@app.get("/reports/<site>.xlsx")
def report(site: str):
    return send_file(build(site, request.args["from"], request.args["to"]), download_name=f"{site}.xlsx")
