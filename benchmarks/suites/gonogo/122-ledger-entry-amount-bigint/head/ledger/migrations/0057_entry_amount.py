from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ledger", "0056_entry_memo")]

    operations = [
        migrations.AlterField(
            model_name="entry",
            name="amount",
            field=models.BigIntegerField(),
        ),
    ]
