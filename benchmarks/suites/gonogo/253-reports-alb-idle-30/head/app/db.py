import os

import psycopg


def cursor():
    return psycopg.connect(os.environ["DATABASE_URL"]).cursor(name="readings")
