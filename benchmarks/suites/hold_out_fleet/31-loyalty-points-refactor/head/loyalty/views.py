from django.db.models import F
from django.http import JsonResponse

from .models import Member
from .points import points_for


def purchase(request, member_id: int):
    member = Member.objects.get(pk=member_id)
    Member.objects.filter(pk=member_id).update(points=F("points") + points_for(int(request.POST["cents"]), member.tier))
    return JsonResponse({"ok": True})
