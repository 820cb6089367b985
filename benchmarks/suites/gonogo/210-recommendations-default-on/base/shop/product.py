import os

import requests
from flask import Blueprint, jsonify

from . import settings
from .books import book, also_bought

bp = Blueprint("product", __name__)


@bp.get("/books/<isbn>")
def show(isbn: str):
    if settings.RECOMMENDATIONS_V2:
        more = requests.get(f"{os.environ['RECOMMENDER_URL']}/for/{isbn}", timeout=2).json()
    else:
        more = also_bought(isbn)
    return jsonify(book(isbn) | {"more": more})
