import os

from celery import Celery

app = Celery("receipts", broker=os.environ["BROKER_URL"])
app.conf.task_default_queue = "receipts"
app.conf.task_acks_late = True
app.conf.worker_prefetch_multiplier = 1
app.conf.imports = ["receipts.tasks"]
