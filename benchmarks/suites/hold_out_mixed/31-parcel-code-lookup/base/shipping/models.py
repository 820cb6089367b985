from django.db import models


class Parcel(models.Model):
    customer_id = models.BigIntegerField(db_index=True)
    tracking_code = models.CharField(max_length=40)
    state = models.CharField(max_length=12)
    updated_at = models.DateTimeField(auto_now=True)
