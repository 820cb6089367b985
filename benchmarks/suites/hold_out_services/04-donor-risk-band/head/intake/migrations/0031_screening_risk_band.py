from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("intake", "0030_travel_score")]
    operations = [
        migrations.AddField("screening", "risk_band", models.CharField(max_length=1, null=True)),
        migrations.RunSQL(
            "UPDATE intake_screening SET risk_band = CASE"
            " WHEN haemoglobin_g_l < 120 THEN 'C' WHEN travel_score > 3 THEN 'B' ELSE 'A' END",
            migrations.RunSQL.noop,
        ),
    ]
