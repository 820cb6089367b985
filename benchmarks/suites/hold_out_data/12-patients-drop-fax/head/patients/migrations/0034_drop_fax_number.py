from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("patients", "0033_created_at")]
    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '2s'", migrations.RunSQL.noop),
        migrations.RemoveField("patient", "fax_number"),
    ]
