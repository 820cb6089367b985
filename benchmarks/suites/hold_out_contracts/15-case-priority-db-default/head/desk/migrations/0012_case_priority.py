from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("desk", "0011_subject_length")]

    operations = [
        migrations.AddField(
            model_name="case",
            name="priority",
            field=models.CharField(max_length=12, db_default="normal"),
        ),
    ]
