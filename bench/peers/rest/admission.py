"""Admits requests: checks the hash of a key and counts requests against limits, both in the database."""

import hashlib
import math
import os
import re
from datetime import datetime, timedelta, timezone

from asyncpg import Connection
from fastapi import HTTPException, Request, Response

import statements

PREFIX = "svc_dev_"
SECRET = re.compile(r"[0-9a-f]{32}")
MINUTE = timedelta(minutes=1)
HOUR = 3600
BOOST = int(os.environ.get("RATE_LIMIT_BOOST", "1"))
# Maximum number of requests per hour, by policy.
POLICIES = {
    "dev:conversations_read": 60,
    "dev:conversation_detail_read": 60,
    "dev:conversation_reads_total": 60,
    "dev:conversation_transcript_read": 25,
    "dev:memories": 120,
}


async def caller_of(connection: Connection, request: Request, scope: str) -> tuple[str, str]:
    """Returns the user and the API key of a request. Raises 401 or 403 without a valid key."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    secret = token.removeprefix(PREFIX)
    if kind.lower() != "bearer" or secret == token or SECRET.fullmatch(secret) is None:
        raise HTTPException(401, "Missing or malformed API key")
    row = await connection.fetchrow(statements.KEY, hashlib.sha256(secret.encode()).hexdigest())
    if row is None:
        raise HTTPException(401, "Invalid API key")
    used = row["last_used_at"]
    if used is None or datetime.now(timezone.utc) - used > MINUTE:
        await connection.execute(statements.KEY_USED, row["id"])
    if scope not in row["scopes"]:
        raise HTTPException(403, f"Insufficient permissions. Required scope: {scope}")
    return row["uid"], str(row["id"])


async def admit(
    connection: Connection, request: Request, response: Response, scope: str, policies: list[str]
) -> tuple[str, str]:
    """Counts a request. Returns its user and API key. Raises 429 if the request exceeds a limit."""
    uid, key = await caller_of(connection, request, scope)
    allowed = [POLICIES[name] * BOOST for name in policies]
    windows = await connection.fetch(statements.COUNT, uid, policies, allowed, [HOUR] * len(policies))
    tightest = min(windows, key=lambda window: window["allowed"] - window["used"])
    seconds = max(1, math.ceil(tightest["remaining"]))
    headers = {
        "x-ratelimit-policy": tightest["policy"],
        "x-ratelimit-limit": str(tightest["allowed"]),
        "x-ratelimit-remaining": str(max(0, tightest["allowed"] - tightest["used"])),
        "x-ratelimit-reset": str(seconds),
    }
    if not all(window["admitted"] for window in windows):
        raise HTTPException(429, f"Rate limit exceeded: {tightest['policy']}", headers | {"retry-after": str(seconds)})
    response.headers.update(headers)
    return uid, key
