"""Makes the database row of a new memory."""

import os
import re
import time
from datetime import datetime, timezone
from uuid import UUID

from models import NewMemory

ATTRIBUTED = re.compile(
    r"\b(?:according to|(?:advised?|advises|recommend(?:s|ed)?|suggest(?:s|ed)?|argue[sd]?|taught|teaches|wrote|writes"
    r"|quoted?|explain(?:s|ed)?|claim(?:s|ed)?) (?:that|me|us|to|how|why|the|a)"
    r"|the (?:key|secret|trick|lesson|point) (?:to|of|is)|studies show|research shows)\b",
    re.IGNORECASE,
)
BOOSTED = {"interesting", "core", "hobbies", "lifestyle", "interests", "work", "skills", "learnings"}


def uuid7() -> UUID:
    moment = time.time_ns() // 1_000_000
    value = (moment << 80 | int.from_bytes(os.urandom(10), "big")) & ~(0xF << 76 | 0x3 << 62)
    return UUID(int=value | 0x7 << 76 | 0x2 << 62)


def row_of(uid: str, given: NewMemory) -> tuple[object, ...]:
    """Returns the parameters of the statement `NEW_MEMORY`."""
    now = datetime.now(timezone.utc)
    now = now.replace(microsecond=now.microsecond // 1000 * 1000)
    category = given.category or ("interesting" if ATTRIBUTED.search(given.content) else "system")
    scoring = f"01_{998 if category in BOOSTED else 999}_{int(now.timestamp()):010}"
    return uuid7(), uid, given.content, category, given.visibility, given.tags, scoring, now
