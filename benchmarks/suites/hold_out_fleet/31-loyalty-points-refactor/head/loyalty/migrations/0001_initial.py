from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True
    operations = [
        migrations.CreateModel(
            name="Member",
            fields=[
                ("id", models.BigAutoField(primary_key=True)),
                ("email", models.EmailField(max_length=254, unique=True)),
                ("tier", models.CharField(max_length=16, default="basic")),
                ("points", models.IntegerField(default=0)),
            ],
        ),
    ]
