import os

INSTALLED_APPS = ["desk"]
ROOT_URLCONF = "desk.urls"
SECRET_KEY = os.environ["SECRET_KEY"]
DATABASES = {"default": {"ENGINE": "django.db.backends.postgresql", "NAME": "desk", "HOST": os.environ["DB_HOST"]}}
