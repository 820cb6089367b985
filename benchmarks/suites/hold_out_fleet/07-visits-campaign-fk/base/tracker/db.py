import os

from sqlalchemy import create_engine

engine = create_engine(os.environ["TRACKER_DSN"], pool_size=5)
