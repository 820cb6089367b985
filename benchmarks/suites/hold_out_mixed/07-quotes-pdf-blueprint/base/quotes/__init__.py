from flask import Flask

from .api import api
from .documents import documents


def create_app():
    app = Flask(__name__)
    app.register_blueprint(api, url_prefix="/v1")
    app.register_blueprint(documents, url_prefix="/v1/quotes")
    return app
