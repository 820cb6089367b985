"""The service profile."""


def handle(request):
    return {"ok": True}
