import os

SECRET_KEY = os.environ["SECRET_KEY"]
INSTALLED_APPS = ["django.contrib.contenttypes", "listings"]
DATABASES = {"default": {"ENGINE": "django.db.backends.postgresql", "NAME": "rooms", "HOST": os.environ["DB_HOST"], "CONN_MAX_AGE": 60}}
CACHES = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": os.environ["REDIS_URL"]}}
LISTING_TTL = int(os.environ.get("LISTING_TTL", "300"))
PHOTO_TTL = int(os.environ.get("PHOTO_TTL", "86400"))
