"""The least that an endpoint can do, in the same frame: FastAPI under the same uvicorn, the body read, nothing done with it."""

import socket
import sys

import uvicorn
from fastapi import FastAPI, Request

app = FastAPI()


@app.post("/webhooks/github", status_code=202)
async def take(request: Request) -> dict[str, str]:
    """Read the body, answer."""
    await request.body()
    return {"status": "queued"}


@app.get("/healthz")
async def health() -> dict[str, str]:
    """Say that it is up."""
    return {}


if __name__ == "__main__":
    listening = socket.create_server(("127.0.0.1", int(sys.argv[1])), backlog=4096)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False, timeout_keep_alive=75)).run([listening])
