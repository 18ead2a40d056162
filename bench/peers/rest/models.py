"""Models of requests and answers, as in the API description."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field, StringConstraints


class ActionItem(BaseModel):
    description: str
    completed: bool
    created_at: datetime | None
    updated_at: datetime | None
    due_at: datetime | None
    completed_at: datetime | None
    conversation_id: str | None


class Event(BaseModel):
    title: str
    description: str
    start: datetime
    duration: float
    created: bool


class Structured(BaseModel):
    title: str = ""
    overview: str = ""
    emoji: str = "🧠"
    category: str = "other"
    action_items: list[ActionItem] = []
    events: list[Event] = []


class Translation(BaseModel):
    lang: str
    text: str


class Segment(BaseModel):
    id: str
    text: str
    speaker_id: int
    speaker_name: str
    start: float
    end: float
    translations: list[Translation]


class Geolocation(BaseModel):
    latitude: float
    longitude: float
    address: str | None
    google_place_id: str | None
    location_type: str | None


class Conversation(BaseModel):
    id: str
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    structured: Structured
    language: str | None
    source: str | None
    status: str
    discarded: bool
    starred: bool
    clock: Literal["device", "upload"]
    merged_into: str | None
    transcript_segments: list[Segment] | None
    geolocation: Geolocation | None
    folder_id: str | None
    folder_name: str | None


MemoryCategory = Literal[
    "core", "hobbies", "lifestyle", "interests", "habits", "work", "skills", "learnings", "other", "system"
]
Tag = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100)]
Tags = Annotated[list[Tag], Field(max_length=50)]


class NewMemory(BaseModel):
    content: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]
    category: MemoryCategory | None = None
    visibility: Literal["public", "private"] = "private"
    tags: Tags = []


class Memory(BaseModel):
    id: str
    content: str
    category: str
    visibility: Literal["public", "private"]
    tags: list[str]
    created_at: datetime
    updated_at: datetime
    manually_added: bool
    reviewed: bool
    user_review: bool | None
    edited: bool
    scoring: str
