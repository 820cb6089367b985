from django.db import models


class Customer(models.Model):
    email = models.EmailField(unique=True)


class Ticket(models.Model):
    customer = models.ForeignKey(Customer, on_delete=models.PROTECT)
    subject = models.CharField(max_length=200)
    opened_at = models.DateTimeField(auto_now_add=True)
