from fastapi import FastAPI

from .v1 import router as v1
from .v2 import router as v2

app = FastAPI()
app.include_router(v1, prefix="/v1")
app.include_router(v2, prefix="/v2")
