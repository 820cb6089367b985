import os

DATABASE_URL = os.environ["DATABASE_URL"]
MAX_STOPS = int(os.environ.get("MAX_STOPS", "120"))
