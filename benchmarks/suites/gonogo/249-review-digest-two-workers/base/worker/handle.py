import os

import requests


def handle(message: dict) -> None:
    requests.post(os.environ["TARGET_URL"], json=message, timeout=5).raise_for_status()
