import os

from sqlalchemy import create_engine

engine = create_engine(os.environ["DATABASE_URL"], pool_size=10, max_overflow=5)
