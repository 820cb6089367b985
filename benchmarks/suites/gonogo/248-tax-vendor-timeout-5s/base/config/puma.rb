workers 4
threads 8, 8
