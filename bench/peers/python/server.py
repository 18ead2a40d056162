"""A service in Python as such services are usually built: uvicorn and FastAPI, opuslib, onnxruntime.

It does the engine's work up to the detector's decision: server.py MODEL. Prints one line,
{"port": ..., "versions": {...}}, and ends with SIGTERM or its standard input.
"""

import asyncio
import gc
import json
import os
import platform
import socket
import sys
import time
from importlib.metadata import version

import uvicorn
from fastapi import FastAPI, Response, WebSocket

from counters import Counters
from decoders import decoder_for
from detector import Detector
from stream import Stream

PACKAGES = "uvicorn fastapi starlette uvloop httptools websockets opuslib onnxruntime numpy".split()

counters = Counters()
detector = Detector(sys.argv[1])
app = FastAPI(openapi_url=None)


@app.get("/metrics")
async def metrics() -> Response:
    return Response(counters.page(), media_type="text/plain; version=0.0.4")


@app.websocket("/v4/listen")
async def listen(websocket: WebSocket, uid: str, codec: str = "opus", sample_rate: int = 16000) -> None:
    await websocket.accept()
    decode = decoder_for(codec, sample_rate)
    if decode is None:
        await websocket.close(1003, "codec or rate")
        return
    counters.connections += 1
    try:
        await serve(websocket, Stream(decode, detector, counters))
    finally:
        counters.connections -= 1


async def serve(websocket: WebSocket, stream: Stream) -> None:
    receive = websocket.receive
    while True:
        message = await receive()
        data = message.get("bytes")
        # Shorter messages are keep-alives.
        if data is not None and len(data) > 2:
            stream.push(data, time.perf_counter())
        elif message["type"] == "websocket.disconnect":
            return


class Server(uvicorn.Server):
    """Says where it listens, and ends with its standard input."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        assert sockets is not None
        # What was imported is never garbage, and every message makes a few objects: look for cycles rarely.
        gc.freeze()
        gc.set_threshold(50_000, 20, 20)
        versions = {"python": platform.python_version()} | {name: version(name) for name in PACKAGES}
        print(json.dumps({"port": sockets[0].getsockname()[1], "versions": versions}), flush=True)
        # The process that started this one holds the other end of the pipe: when it ends, so does this server.
        asyncio.get_running_loop().add_reader(sys.stdin.fileno(), self.stop)

    def stop(self) -> None:
        if os.read(sys.stdin.fileno(), 4096) == b"":
            asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
            self.should_exit = True


def main() -> None:
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", 0))
    config = uvicorn.Config(
        app,
        loop="uvloop",
        http="httptools",
        ws="websockets-sansio",
        ws_max_size=1_310_720,
        ws_per_message_deflate=False,
        lifespan="off",
        access_log=False,
        log_level="warning",
        backlog=4096,
        timeout_graceful_shutdown=1,
    )
    Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main()
