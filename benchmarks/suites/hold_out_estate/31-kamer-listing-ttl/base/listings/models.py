from django.db import models


class Room(models.Model):
    city = models.CharField(max_length=60, db_index=True)
    title = models.CharField(max_length=120)
    rent = models.IntegerField()
    score = models.FloatField()
    online = models.BooleanField(default=True)
