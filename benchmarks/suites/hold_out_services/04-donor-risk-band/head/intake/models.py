from django.db import models


class Donor(models.Model):
    donor_no = models.CharField(max_length=16, unique=True)
    born_on = models.DateField()


class Screening(models.Model):
    donor = models.ForeignKey(Donor, on_delete=models.PROTECT)
    taken_at = models.DateTimeField(db_index=True)
    haemoglobin_g_l = models.SmallIntegerField()
    travel_score = models.SmallIntegerField(default=0)
    risk_band = models.CharField(max_length=1, null=True)
