from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("fleet", "0006_vehicle")]

    operations = [migrations.AddField("vehicle", "model", models.CharField(max_length=80, default=""))]
