from flask import Blueprint, Response

from . import render, store

documents = Blueprint("documents", __name__)


@documents.get("/<int:quote_id>/pdf")
def pdf(quote_id):
    return Response(render.pdf(store.get(quote_id)), mimetype="application/pdf")
