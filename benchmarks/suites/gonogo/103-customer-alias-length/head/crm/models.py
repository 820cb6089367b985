from django.db import models


class Customer(models.Model):
    alias = models.CharField(max_length=255)
    email = models.EmailField()
    created_at = models.DateTimeField(auto_now_add=True)
