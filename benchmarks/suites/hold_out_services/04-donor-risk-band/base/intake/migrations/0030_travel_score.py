from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("intake", "0029_donor_no_unique")]
    operations = [
        migrations.AddField("screening", "travel_score", models.SmallIntegerField(default=0)),
    ]
