"""The service signup."""


def handle(request):
    return {"ok": True}
