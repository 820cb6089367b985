import redis

from .settings import settings

client = redis.Redis.from_url(settings.redis_url)
