from django.db import models


class Member(models.Model):
    name = models.CharField(max_length=120)
    phone = models.CharField(max_length=40)
    created_at = models.DateTimeField(auto_now_add=True)
