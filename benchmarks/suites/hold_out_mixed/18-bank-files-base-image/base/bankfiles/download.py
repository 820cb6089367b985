import os
import ssl

import requests
from requests.adapters import HTTPAdapter


class LegacyTls(HTTPAdapter):
    """The clearing house's gateway is old: it may answer with TLS 1.0."""

    def init_poolmanager(self, *args, **kwargs):
        context = ssl.create_default_context()
        context.minimum_version = ssl.TLSVersion.TLSv1
        kwargs["ssl_context"] = context
        return super().init_poolmanager(*args, **kwargs)


session = requests.Session()
session.mount("https://", LegacyTls())
base = os.environ["CLEARING_URL"]


def names():
    return session.get(f"{base}/files", timeout=20).json()


def get(name):
    return session.get(f"{base}/files/{name}", timeout=60).content
