from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True
    operations = [
        migrations.CreateModel(
            name="Parcel",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("customer_id", models.BigIntegerField(db_index=True)),
                ("tracking_code", models.CharField(max_length=40)),
                ("state", models.CharField(max_length=12)),
                ("updated_at", models.DateTimeField(auto_now=True)),
            ],
        ),
    ]
