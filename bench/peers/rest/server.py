"""Three routes of the REST API in a typical Python service: uvicorn, FastAPI, asyncpg.

Uses the product's database (`DATABASE_URL`). Prints one line, {"port": ..., "versions": {...}}.
Ends with SIGTERM or when its standard input ends.
"""

import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Annotated
from uuid import UUID

import asyncpg
import orjson
from fastapi import FastAPI, HTTPException, Query, Request, Response

import statements
from admission import admit
from conversations import answers, cursor_of, filtered
from memories import row_of
from models import Conversation, Memory, NewMemory

# The parent folder has the code that all Python servers share.
sys.path.append(os.path.join(os.path.dirname(__file__), ".."))
from serving import run  # noqa: E402

PACKAGES = "uvicorn fastapi starlette pydantic uvloop httptools asyncpg orjson".split()
COLLECTION = "/v1/dev/user/conversations"


class PooledConnection(asyncpg.Connection):
    """A connection that is not reset when the pool gets it back, because the server never changes the state
    of a session."""

    def get_reset_query(self) -> str:
        return ""


async def prepare(connection: asyncpg.Connection) -> None:
    decode = orjson.loads
    await connection.set_type_codec("jsonb", schema="pg_catalog", encoder=lambda value: orjson.dumps(value).decode(), decoder=decode)


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    size = int(os.environ.get("DATABASE_POOL", "4"))
    app.state.pool = await asyncpg.create_pool(
        os.environ["DATABASE_URL"], min_size=size, max_size=size, init=prepare, connection_class=PooledConnection
    )
    yield
    await app.state.pool.close()


app = FastAPI(openapi_url=None, lifespan=lifespan, telemetry={"tracing": False, "metrics": False, "logs": False})


def audit(request: Request, uid: str, key: str, **read: object) -> None:
    """Logs one line for each read: the user, the key and the records."""
    line = {
        "level": "info",
        "time": datetime.now().timestamp(),
        "audit": True,
        "uid": uid,
        "keyId": key,
        "ip": request.client.host if request.client else None,
        "agent": request.headers.get("user-agent", "")[:200],
        **read,
        "msg": "conversations read",
    }
    os.write(2, orjson.dumps(line) + b"\n")


@app.get(COLLECTION)
async def list_conversations(
    request: Request,
    response: Response,
    limit: int = 25,
    offset: int = 0,
    cursor: Annotated[str | None, Query(min_length=1, max_length=1000)] = None,
    start_date: datetime | None = None,
    end_date: datetime | None = None,
    categories: str | None = None,
    folder_id: UUID | None = None,
    starred: bool | None = None,
    include_transcript: bool = False,
) -> list[Conversation]:
    limit = min(25 if include_transcript else 100, max(1, limit))
    offset = max(0, offset)
    named = [name for part in (categories or "").split(",") if (name := part.strip())]
    policies = ["dev:conversations_read", "dev:conversation_reads_total"]
    if include_transcript:
        policies.append("dev:conversation_transcript_read")
    async with app.state.pool.acquire() as connection:
        uid, key = await admit(connection, request, response, "conversations:read", policies)
        statement, values = filtered(uid, limit, offset, cursor, start_date, end_date, named, folder_id, starred)
        rows = await connection.fetch(statement, *values)
        if len(rows) > limit:
            rows = rows[:limit]
            response.headers["x-next-cursor"] = cursor_of(rows[-1])
        found = await answers(connection, uid, rows, include_transcript)
    audit(request, uid, key, operation="list", limit=limit, offset=offset, returned=len(rows))
    return found


@app.get(COLLECTION + "/{id}")
async def get_conversation(
    request: Request, response: Response, id: UUID, include_transcript: bool = False
) -> Conversation:
    policies = ["dev:conversation_detail_read", "dev:conversation_reads_total"]
    if include_transcript:
        policies.append("dev:conversation_transcript_read")
    async with app.state.pool.acquire() as connection:
        uid, key = await admit(connection, request, response, "conversations:read", policies)
        row = await connection.fetchrow(statements.READ, uid, id)
        if row is None or row["is_locked"]:
            raise HTTPException(404, "Conversation not found")
        (found,) = await answers(connection, uid, [row], include_transcript)
    audit(request, uid, key, operation="detail", transcript=include_transcript, conversation=str(id))
    return found


@app.post("/v1/dev/user/memories")
async def create_memory(request: Request, response: Response, memory: NewMemory) -> Memory:
    async with app.state.pool.acquire() as connection:
        uid, _ = await admit(connection, request, response, "memories:write", ["dev:memories"])
        row = await connection.fetchrow(statements.NEW_MEMORY, *row_of(uid, memory))
    return dict(row)


if __name__ == "__main__":
    run(app, PACKAGES, ws="none", server_header=False)
