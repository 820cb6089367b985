threads 5, 5
workers ENV.fetch("WEB_CONCURRENCY", 2)
preload_app!
