from datetime import datetime

from sqlalchemy import ForeignKey
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    pass


class Station(Base):
    __tablename__ = "stations"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    docks: Mapped[int]


class Ride(Base):
    __tablename__ = "rides"

    id: Mapped[int] = mapped_column(primary_key=True)
    bike_id: Mapped[int]
    station_id: Mapped[int] = mapped_column(ForeignKey("stations.id"))
    started_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]
