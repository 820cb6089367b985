from django.urls import path

from . import views

urlpatterns = [path("api/cases/", views.open_item)]
