from datetime import UTC, datetime

from fastapi import FastAPI
from sqlalchemy import select

from rides.db import Session
from rides.models import Ride

app = FastAPI()


@app.post("/v1/rides")
def start_ride(bike_id: int, station_id: int) -> dict[str, int]:
    with Session.begin() as session:
        ride = Ride(bike_id=bike_id, station_id=station_id, started_at=datetime.now(UTC))
        session.add(ride)
        session.flush()
        return {"id": ride.id}


@app.post("/v1/rides/{ride_id}/end")
def end_ride(ride_id: int) -> dict[str, str]:
    with Session.begin() as session:
        session.get_one(Ride, ride_id).ended_at = datetime.now(UTC)
    return {"status": "ended"}


@app.get("/v1/bikes/{bike_id}/rides")
def rides_of_bike(bike_id: int) -> list[dict[str, int]]:
    with Session() as session:
        rides = session.scalars(select(Ride).where(Ride.bike_id == bike_id).limit(50))
        return [{"id": ride.id, "station_id": ride.station_id} for ride in rides]
