from django.http import JsonResponse
from django.utils import timezone

from .models import Screening


def today(request):
    rows = Screening.objects.filter(taken_at__date=timezone.localdate()).values("id", "donor__donor_no", "haemoglobin_g_l")
    return JsonResponse({"screenings": list(rows)})
