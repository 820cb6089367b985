from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("members", "0032_phone")]
    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.RemoveField("member", "pager_code")],
            database_operations=[],
        )
    ]
