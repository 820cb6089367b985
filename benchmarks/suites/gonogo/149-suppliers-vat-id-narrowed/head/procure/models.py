from sqlalchemy import String
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    pass


class Supplier(Base):
    __tablename__ = "suppliers"
    id: Mapped[int] = mapped_column(primary_key=True)
    vat_id: Mapped[str | None] = mapped_column(String(16))
    iban: Mapped[str | None] = mapped_column(String(34))
