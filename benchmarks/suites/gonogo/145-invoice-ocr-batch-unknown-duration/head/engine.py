import os

import requests


def read(key: str) -> str:
    return requests.post(os.environ["OCR_URL"], json={"key": key}, timeout=110).json()["text"]
