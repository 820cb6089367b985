from flask import Blueprint, jsonify, request

from . import store

api = Blueprint("api", __name__)


@api.post("/quotes")
def create():
    return jsonify(store.create(request.get_json())), 201


@api.get("/quotes/<int:quote_id>")
def show(quote_id):
    return jsonify(store.get(quote_id))
