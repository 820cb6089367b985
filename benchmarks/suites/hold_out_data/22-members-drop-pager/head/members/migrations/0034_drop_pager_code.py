from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("members", "0033_forget_pager_code")]
    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '2s'", migrations.RunSQL.noop),
        migrations.RunSQL("ALTER TABLE members_member DROP COLUMN pager_code", migrations.RunSQL.noop),
    ]
