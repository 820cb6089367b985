from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("crm", "0018_customer")]

    operations = [
        migrations.AddField("customer", "email", models.EmailField(max_length=254, default="")),
    ]
