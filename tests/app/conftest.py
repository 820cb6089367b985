"""A whole gonogo beside a loopback GitHub: the processes that an operator starts, on a real Redis."""

from tests.github.fixtures import github, redis_server_url, redis_url, start_story, story

__all__ = ["github", "redis_server_url", "redis_url", "start_story", "story"]
