from datetime import datetime

from sqlalchemy import BigInteger, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    pass


class Order(Base):
    __tablename__ = "orders"
    id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    merchant_id: Mapped[int] = mapped_column(BigInteger)
    delivery_kind: Mapped[str] = mapped_column(Text, server_default="parcel")
    printed_at: Mapped[datetime | None]
