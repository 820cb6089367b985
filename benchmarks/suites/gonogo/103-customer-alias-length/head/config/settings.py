import os

DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": "crm",
        "HOST": os.environ["PGHOST"],
        "OPTIONS": {"options": "-c lock_timeout=3000"},
    }
}
