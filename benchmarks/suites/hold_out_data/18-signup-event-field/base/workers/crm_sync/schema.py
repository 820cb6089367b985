from pydantic import BaseModel, ConfigDict


class Signup(BaseModel):
    model_config = ConfigDict(extra="forbid")

    customerId: str
    email: str
