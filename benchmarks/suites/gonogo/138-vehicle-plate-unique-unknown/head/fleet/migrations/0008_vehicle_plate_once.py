from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("fleet", "0007_vehicle_model")]

    operations = [
        migrations.AddConstraint(
            model_name="vehicle",
            constraint=models.UniqueConstraint(fields=("plate", "country"), name="vehicle_plate_once"),
        ),
    ]
