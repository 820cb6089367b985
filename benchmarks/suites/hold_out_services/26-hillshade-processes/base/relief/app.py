import os

from celery import Celery

celery_app = Celery("relief", broker=os.environ["BROKER_URL"])
celery_app.conf.update(
    task_acks_late=True,
    worker_prefetch_multiplier=1,
    task_ignore_result=True,
    task_routes={"relief.tasks.*": {"queue": "hillshade"}},
)
