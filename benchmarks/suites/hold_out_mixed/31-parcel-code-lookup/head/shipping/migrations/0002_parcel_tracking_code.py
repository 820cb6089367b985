from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("shipping", "0001_initial")]

    operations = [
        migrations.AlterField(
            model_name="parcel",
            name="tracking_code",
            field=models.CharField(db_index=True, max_length=40),
        ),
    ]
