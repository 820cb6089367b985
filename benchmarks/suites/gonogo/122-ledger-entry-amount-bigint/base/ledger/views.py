import json

from django.http import JsonResponse

from .models import Entry


def book(request):
    body = json.loads(request.body)
    entry = Entry.objects.create(account_id=body["account"], amount=body["amount"])
    return JsonResponse({"id": entry.pk}, status=201)
