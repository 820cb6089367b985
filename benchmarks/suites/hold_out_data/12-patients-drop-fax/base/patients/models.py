from django.db import models


class Patient(models.Model):
    name = models.CharField(max_length=120)
    phone = models.CharField(max_length=40)
    fax_number = models.CharField(max_length=40, null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
