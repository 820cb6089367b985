from decimal import Decimal

from sqlalchemy import BigInteger, Numeric, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    pass


class Payout(Base):
    __tablename__ = "payouts"
    id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    merchant_id: Mapped[int] = mapped_column(BigInteger)
    amount: Mapped[Decimal] = mapped_column(Numeric(14, 2))
    currency: Mapped[str] = mapped_column(Text)


class Settlement(Base):
    __tablename__ = "settlements"
    id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    payout_id: Mapped[int] = mapped_column(BigInteger)
    fx_rate: Mapped[Decimal] = mapped_column(Numeric(12, 6))
