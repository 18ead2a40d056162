"""Reads conversations of a user from the product's tables."""

import base64
import binascii
from datetime import datetime, timedelta, timezone
from uuid import UUID

import orjson
from asyncpg import Connection, Record
from fastapi import HTTPException

import statements


def cursor_of(row: Record) -> str:
    moment = row["created_at"].astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    position = orjson.dumps(["conversations", [moment, str(row["id"])]])
    return base64.urlsafe_b64encode(position).decode().rstrip("=")


def position_of(cursor: str) -> tuple[datetime, UUID]:
    try:
        name, (moment, id) = orjson.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        if name != "conversations":
            raise ValueError(name)
        return datetime.fromisoformat(moment), UUID(id)
    except (binascii.Error, ValueError, TypeError) as error:
        raise HTTPException(422, "cursor is not valid") from error


def filtered(
    uid: str,
    limit: int,
    offset: int,
    cursor: str | None,
    start: datetime | None,
    end: datetime | None,
    categories: list[str],
    folder: UUID | None,
    starred: bool | None,
) -> tuple[str, list[object]]:
    """Returns the statement that reads a page, and the parameters of the statement."""
    values: list[object] = [uid]
    conditions = [statements.LIST]

    def add(condition: str, *given: object) -> None:
        values.extend(given)
        last = len(values)
        conditions.append(condition.format(*range(last - len(given) + 1, last + 1)))

    if start is not None:
        add("and created_at >= ${}", start)
    if end is not None:
        add("and created_at < ${}", end + timedelta(milliseconds=1))
    if categories:
        add("and structured->>'category' = any(${}::text[])", categories)
    if folder is not None:
        add("and folder_id = ${}", folder)
    if starred is not None:
        add("and starred = ${}", starred)
    if cursor is not None:
        add("and (created_at, id) < (${}, ${})", *position_of(cursor))
    add("order by created_at desc, id desc limit ${} offset ${}", limit + 1, offset)
    return " ".join(conditions), values


async def speakers_of(connection: Connection, uid: str, segments: list[Record]) -> tuple[str, dict[str, str]]:
    """Returns the user's own name, and the names of other speakers by id."""
    own = None
    if any(segment["is_user"] for segment in segments):
        own = await connection.fetchval(statements.USER, uid)
    people = {segment["person_id"] for segment in segments if segment["person_id"] is not None}
    rows = await connection.fetch(statements.PEOPLE, uid, list(people)) if people else []
    return own or "User", {str(row["id"]): row["name"] for row in rows}


async def answers(connection: Connection, uid: str, rows: list[Record], transcript: bool) -> list[dict[str, object]]:
    transcripts: dict[UUID, list[dict[str, object]]] = {}
    if transcript and rows:
        segments = await connection.fetch(statements.SEGMENTS, [row["id"] for row in rows])
        own, people = await speakers_of(connection, uid, segments)
        transcripts = {row["id"]: [] for row in rows}
        for conversation, id, text, speaker, is_user, person, start, end, translations in segments:
            name = own if is_user else people.get(person) or f"Speaker {speaker}"
            transcripts[conversation].append(
                {
                    "id": id,
                    "text": text,
                    "speaker_id": speaker,
                    "speaker_name": name,
                    "start": start,
                    "end": end,
                    "translations": translations,
                }
            )
    folders = {row["folder_id"] for row in rows if row["folder_id"] is not None}
    names = {row["id"]: row["name"] for row in await connection.fetch(statements.FOLDERS, uid, list(folders))} if folders else {}
    return [
        {
            "id": str(row["id"]),
            "created_at": row["created_at"],
            "started_at": row["started_at"],
            "finished_at": row["finished_at"],
            "structured": row["structured"] or {},
            "language": row["language"],
            "source": row["source"],
            "status": row["status"],
            "discarded": row["discarded"],
            "starred": row["starred"],
            "clock": row["clock"],
            "merged_into": None if row["merged_into"] is None else str(row["merged_into"]),
            "transcript_segments": transcripts.get(row["id"]),
            "geolocation": row["geolocation"],
            "folder_id": None if row["folder_id"] is None else str(row["folder_id"]),
            "folder_name": names.get(row["folder_id"]),
        }
        for row in rows
    ]
