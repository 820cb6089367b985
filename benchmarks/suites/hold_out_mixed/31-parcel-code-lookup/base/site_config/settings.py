import os

INSTALLED_APPS = ["shipping"]
DATABASES = {"default": {"ENGINE": "django.db.backends.postgresql", "NAME": "shipping", "HOST": os.environ["DB_HOST"]}}
SECRET_KEY = os.environ["SECRET_KEY"]
