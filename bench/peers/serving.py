"""Code that all Python servers share: it listens, prints the port, and ends the server."""

import asyncio
import gc
import json
import os
import platform
import socket
import sys
from importlib.metadata import version
from typing import Any

import uvicorn


class Server(uvicorn.Server):
    """A server that prints its port once it listens, and ends when its standard input ends."""

    def __init__(self, config: uvicorn.Config, packages: list[str]) -> None:
        super().__init__(config)
        self.packages = packages

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if not self.started:
            return
        assert sockets is not None
        # Imported objects never become garbage, so they are frozen. Collections of cycles are rare, because
        # every message allocates only a few objects.
        gc.freeze()
        gc.set_threshold(50_000, 20, 20)
        versions = {"python": platform.python_version()} | {name: version(name) for name in self.packages}
        print(json.dumps({"port": sockets[0].getsockname()[1], "versions": versions}), flush=True)
        # Standard input is a pipe from the parent process. When the parent ends, the pipe closes and this
        # server ends, too.
        asyncio.get_running_loop().add_reader(sys.stdin.fileno(), self.stop)

    def stop(self) -> None:
        if os.read(sys.stdin.fileno(), 4096) == b"":
            asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
            self.should_exit = True


def run(app: Any, packages: list[str], **options: Any) -> None:
    """Serves an app on a free port of the loopback address. `options` are additional options of uvicorn."""
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", 0))
    config = uvicorn.Config(
        app,
        loop="uvloop",
        http="httptools",
        access_log=False,
        log_level="warning",
        backlog=4096,
        timeout_graceful_shutdown=1,
        **options,
    )
    Server(config, packages).run(sockets=[listener])
