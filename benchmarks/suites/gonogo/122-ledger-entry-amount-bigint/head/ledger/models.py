from django.db import models


class Entry(models.Model):
    account = models.ForeignKey("Account", on_delete=models.PROTECT)
    amount = models.BigIntegerField()
    memo = models.CharField(max_length=140, blank=True)
    booked_at = models.DateTimeField(auto_now_add=True)


class Account(models.Model):
    alias = models.CharField(max_length=64)
