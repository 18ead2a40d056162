"""The parameters of Whisper models, as the manifest of the product gives them (`src/models/manifest`)."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Model:
    """A Whisper model. The schema of the manifest describes the fields."""

    weights: str
    attributes: list[str]
    encoder: str
    decoders: list[tuple[int, str]]
    """Number of texts, and name of the graph."""

    bands: int
    heads: int
    head_width: int
    encoder_layers: int
    decoder_layers: int
    vocabulary: int
    audio_places: int
    text_places: int

    space: int
    end: int
    start: int
    no_speech: int
    no_timestamps: int
    languages: tuple[int, int] | None
    """First token of a language, and the number of languages. `None` if the model knows only one."""
    suppressed: list[int]
    alignment: list[tuple[int, int]]
    """Layer and head."""

    @property
    def width(self) -> int:
        return self.heads * self.head_width


def parse(entry: dict[str, Any]) -> Model:
    """Reads the part `recogniser` of an entry of the manifest."""
    shape, tokens = entry["shape"], entry["tokens"]
    first = tokens["firstLanguage"]
    return Model(
        weights=entry["weights"]["file"],
        attributes=entry["weights"]["attributes"],
        encoder=entry["encoder"],
        decoders=[(decoder["texts"], decoder["graph"]) for decoder in entry["decoders"]],
        bands=shape["bands"],
        heads=shape["heads"],
        head_width=shape["headWidth"],
        encoder_layers=shape["encoderLayers"],
        decoder_layers=shape["decoderLayers"],
        vocabulary=shape["vocabulary"],
        audio_places=shape["audioPlaces"],
        text_places=shape["textPlaces"],
        space=tokens["space"],
        end=tokens["end"],
        start=tokens["start"],
        no_speech=tokens["noSpeech"],
        no_timestamps=tokens["noTimestamps"],
        languages=None if first is None else (first, len(entry["languages"])),
        suppressed=tokens["suppressed"],
        alignment=[(layer, head) for layer, head in entry["alignment"]],
    )
