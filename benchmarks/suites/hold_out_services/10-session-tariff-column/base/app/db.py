import json
import os

import boto3
from sqlalchemy import create_engine
from sqlalchemy.orm import Session as OrmSession
from sqlalchemy.pool import NullPool

_secret = json.loads(boto3.client("secretsmanager").get_secret_value(SecretId=os.environ["DB_SECRET"])["SecretString"])
_engine = create_engine(_secret["url"], poolclass=NullPool)


def open_session() -> OrmSession:
    return OrmSession(_engine)
