from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("patients", "0032_phone")]
    operations = [migrations.AddField("patient", "created_at", models.DateTimeField(auto_now_add=True, null=True))]
