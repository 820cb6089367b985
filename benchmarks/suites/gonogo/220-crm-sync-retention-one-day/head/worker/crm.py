import os

import requests


def push(contact: dict) -> None:
    requests.put(f"{os.environ['CRM_URL']}/contacts/{contact['id']}", json=contact, timeout=30).raise_for_status()
