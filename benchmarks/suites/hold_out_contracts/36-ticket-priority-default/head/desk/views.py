from rest_framework.decorators import api_view
from rest_framework.response import Response

from .models import Ticket


@api_view(["POST"])
def open_item(request):
    obj = Ticket.objects.create(customer_id=request.data["customer"], subject=request.data["subject"][:200])
    return Response({"id": obj.pk}, status=201)
