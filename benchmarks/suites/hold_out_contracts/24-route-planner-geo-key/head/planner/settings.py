import os

DATABASE_URL = os.environ["DATABASE_URL"]
GEO_API_KEY = os.environ["GEO_API_KEY"]
MAX_STOPS = int(os.environ.get("MAX_STOPS", "120"))
