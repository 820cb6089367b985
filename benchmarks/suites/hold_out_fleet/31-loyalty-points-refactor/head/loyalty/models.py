from django.db import models


class Member(models.Model):
    email = models.EmailField(unique=True)
    tier = models.CharField(max_length=16, default="basic")
    points = models.IntegerField(default=0)
