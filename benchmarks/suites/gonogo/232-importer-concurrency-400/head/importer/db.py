import os

import boto3
import psycopg

_conn = None


def connection():
    global _conn
    if _conn is None or _conn.closed:
        dsn = boto3.client("ssm").get_parameter(Name=os.environ["DSN_PARAMETER"], WithDecryption=True)["Parameter"]["Value"]
        _conn = psycopg.connect(dsn)
    return _conn
