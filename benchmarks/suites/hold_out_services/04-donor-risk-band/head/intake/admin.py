from django.contrib import admin

from .models import Screening


@admin.register(Screening)
class ScreeningAdmin(admin.ModelAdmin):
    list_display = ("donor", "taken_at", "haemoglobin_g_l", "risk_band")
