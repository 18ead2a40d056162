"""A typical Python service: uvicorn and FastAPI, opuslib, onnxruntime.

Does the same work as the engine up to the detector's decision: server.py MODEL GATE. Prints one
line, {"port": ..., "versions": {...}}. Ends with SIGTERM or when its standard input ends.
"""

import os
import sys
import time

from fastapi import FastAPI, Response, WebSocket

from counters import Counters
from decoders import decoder_for
from detector import Detector
from stream import Stream

# The parent folder has the code that all Python servers share.
sys.path.append(os.path.join(os.path.dirname(__file__), ".."))
from serving import run  # noqa: E402

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
        # Messages of at most two bytes are keep-alives.
        if data is not None and len(data) > 2:
            stream.push(data, time.perf_counter())
        elif message["type"] == "websocket.disconnect":
            return


if __name__ == "__main__":
    run(
        app,
        PACKAGES,
        ws="websockets-sansio",
        ws_max_size=1_310_720,
        ws_per_message_deflate=False,
        lifespan="off",
    )
