from django.http import JsonResponse

from .models import Patient


def detail(request, pk: int):
    row = Patient.objects.get(pk=pk)
    return JsonResponse({"id": row.pk, "name": row.name, "phone": row.phone})
