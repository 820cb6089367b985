from django.db import models


class Vehicle(models.Model):
    plate = models.CharField(max_length=16)
    country = models.CharField(max_length=2)
    model = models.CharField(max_length=80)
