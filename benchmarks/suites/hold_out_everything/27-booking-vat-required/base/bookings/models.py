from pydantic import BaseModel


class CompanyBooking(BaseModel):
    company: str
    room_id: int
    nights: int
