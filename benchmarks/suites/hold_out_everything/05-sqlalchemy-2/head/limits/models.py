from sqlalchemy import BigInteger, Column, Text

from .db import Base


class Limit(Base):
    __tablename__ = "limits"
    id = Column(BigInteger, primary_key=True)
    account = Column(Text, nullable=False)
    cents = Column(BigInteger, nullable=False)
