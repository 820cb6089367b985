"""The service lineup."""


def handle(request):
    return {"ok": True}
