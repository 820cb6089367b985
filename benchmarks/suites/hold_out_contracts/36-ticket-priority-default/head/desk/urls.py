from django.urls import path

from . import views

urlpatterns = [path("api/tickets/", views.open_item)]
