from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("desk", "0010_customer_email")]

    operations = [
        migrations.AlterField("case", "subject", models.CharField(max_length=200)),
    ]
