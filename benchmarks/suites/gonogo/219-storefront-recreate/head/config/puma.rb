workers 3
threads 5, 5
preload_app!
