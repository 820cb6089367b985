from django.http import JsonResponse

from .models import Parcel


def by_code(request, code):
    p = Parcel.objects.filter(tracking_code=code).first()
    return JsonResponse({"state": p.state if p else None})
