from starlette.applications import Starlette

from .cache import client

app = Starlette()
app.state.cache = client
