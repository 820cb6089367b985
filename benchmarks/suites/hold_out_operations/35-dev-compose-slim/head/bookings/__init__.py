from celery import Celery

app = Celery("bookings")
