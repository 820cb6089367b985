import os

import psycopg
import pytest


@pytest.fixture
def dsn():
    return os.environ["TEST_DSN"]


@pytest.fixture(autouse=True)
def empty_schema(dsn):
    with psycopg.connect(dsn, autocommit=True) as conn:
        conn.execute("DROP SCHEMA public CASCADE")
        conn.execute("CREATE SCHEMA public")
        conn.execute(open(os.environ["TEST_SCHEMA_FILE"]).read())
    yield
