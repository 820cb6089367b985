from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("crm", "0019_customer_email")]

    operations = [
        migrations.AlterField(
            model_name="customer",
            name="alias",
            field=models.CharField(max_length=255),
        ),
    ]
