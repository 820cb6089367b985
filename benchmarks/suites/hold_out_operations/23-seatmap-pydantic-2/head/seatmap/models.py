from pydantic import BaseModel


class Hold(BaseModel):
    seat: str
    customer: str
