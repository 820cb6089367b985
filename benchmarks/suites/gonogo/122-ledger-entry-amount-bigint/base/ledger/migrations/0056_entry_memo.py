from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ledger", "0055_account_alias")]

    operations = [
        migrations.AddField("entry", "memo", models.CharField(max_length=140, blank=True, default="")),
    ]
