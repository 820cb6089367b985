import httpx


def run(q: str) -> str:
    return httpx.get("http://index.web/find", params={"q": q}, timeout=3).text
