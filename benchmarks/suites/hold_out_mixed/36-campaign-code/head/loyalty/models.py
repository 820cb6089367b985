from sqlalchemy import BigInteger, Date, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    pass


class Points(Base):
    __tablename__ = "points"
    id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    expires_on: Mapped[object] = mapped_column(Date)
    tier: Mapped[str | None] = mapped_column(Text)
    campaign_code: Mapped[str | None] = mapped_column(Text)
