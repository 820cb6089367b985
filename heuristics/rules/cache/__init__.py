"""Rules about caches that answer less often."""
