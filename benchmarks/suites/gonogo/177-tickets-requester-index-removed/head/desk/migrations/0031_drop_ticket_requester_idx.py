from django.contrib.postgres.operations import RemoveIndexConcurrently
from django.db import migrations


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("desk", "0030_ticket_indexes")]

    operations = [
        RemoveIndexConcurrently("ticket", "ticket_requester_idx"),
    ]
