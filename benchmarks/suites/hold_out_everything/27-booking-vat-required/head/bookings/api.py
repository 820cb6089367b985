from fastapi import FastAPI

from .models import CompanyBooking

app = FastAPI()


@app.post("/v1/company-bookings", status_code=201)
def create(booking: CompanyBooking):
    return {"company": booking.company, "nights": booking.nights}
