from django.http import JsonResponse

from .models import Ticket


def mine(request):
    rows = Ticket.objects.filter(requester=request.user.email).values("id", "state")
    return JsonResponse({"tickets": list(rows)})


def open_ticket(request):
    ticket = Ticket.objects.create(requester=request.user.email, channel="web", state="new")
    return JsonResponse({"id": ticket.pk}, status=201)
