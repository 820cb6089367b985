from fastapi import FastAPI

from .v2 import router as v2

app = FastAPI()
app.include_router(v2, prefix="/v2")
