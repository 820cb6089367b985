import redis

from .settings import settings

client = redis.Redis.from_url(settings.cache_url)
