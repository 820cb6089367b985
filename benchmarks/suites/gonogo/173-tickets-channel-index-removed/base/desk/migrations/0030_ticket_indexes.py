from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("desk", "0029_ticket")]

    operations = [
        AddIndexConcurrently("ticket", models.Index(fields=["requester"], name="ticket_requester_idx")),
        AddIndexConcurrently("ticket", models.Index(fields=["channel"], name="ticket_channel_idx")),
    ]
