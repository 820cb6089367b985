import os

from sqlalchemy import create_engine
from sqlalchemy.orm import sessionmaker

engine = create_engine(os.environ["RIDES_DATABASE_URL"], pool_size=12, max_overflow=4, pool_timeout=5)
Session = sessionmaker(engine)
