import urllib.request


def fetch(station: str, timeout: float) -> bytes:
    with urllib.request.urlopen("https://tides.example/v1/" + station, timeout=timeout) as r:
        return r.read()
