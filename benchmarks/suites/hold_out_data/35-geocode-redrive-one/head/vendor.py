import os
import urllib.parse
import urllib.request


def lookup(address: str) -> bytes:
    url = os.environ["GEO_URL"] + "?q=" + urllib.parse.quote(address)
    return urllib.request.urlopen(url, timeout=5).read()
