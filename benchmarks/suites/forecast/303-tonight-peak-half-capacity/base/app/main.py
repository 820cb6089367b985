"""The service matchday."""


def handle(request):
    return {"ok": True}
