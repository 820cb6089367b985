from django.db import models


class Ticket(models.Model):
    requester = models.CharField(max_length=254)
    channel = models.CharField(max_length=20)
    state = models.CharField(max_length=12)
    opened_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [
            models.Index(fields=["requester"], name="ticket_requester_idx"),
        ]
