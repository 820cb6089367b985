from django.http import JsonResponse

from .catalog import rooms_in


def index(request, city):
    page = int(request.GET.get("page", 0))
    return JsonResponse({"rooms": rooms_in(city)[page * 40 : page * 40 + 40]})
