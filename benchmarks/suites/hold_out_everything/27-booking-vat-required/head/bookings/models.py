from pydantic import BaseModel, Field


class CompanyBooking(BaseModel):
    company: str
    room_id: int
    nights: int
    vat_number: str = Field(pattern=r"^[A-Z]{2}[0-9A-Z]{8,12}$")
