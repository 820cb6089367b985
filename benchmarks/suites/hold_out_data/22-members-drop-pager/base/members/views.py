from django.http import JsonResponse

from .models import Member


def detail(request, pk: int):
    row = Member.objects.get(pk=pk)
    return JsonResponse({"id": row.pk, "name": row.name, "phone": row.phone})
