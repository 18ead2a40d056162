"""Finds the time of each word of a text in a recording, by forced alignment with pocketsphinx
5.1.1.

    python bench/words/align.py fixtures/speech > fixtures/speech/words.json

FIXTURES is a folder with `transcripts.json` and 16 kHz mono WAV files. Prints the words of each
file with start and end in ms. `PRONOUNCED` has the pronunciation of words that are missing from
the dictionary.
"""

import json
import re
import sys
import wave
from pathlib import Path

from pocketsphinx import Decoder

PRONOUNCED = {"dashwood": "D AE SH W UH D", "disposed": "D IH S P OW Z D", "amiable": "EY M IY AH B AH L"}
SPOKEN = {"mr": "mister", "mrs": "missus"}


def words_of(text: str) -> list[str]:
    plain = [word for word in re.split(r"[^a-z0-9']+", text.lower()) if word]
    return [SPOKEN.get(word, word) for word in plain]


def align(path: Path, text: str) -> list[tuple[str, int, int]]:
    decoder = Decoder(lm=None, loglevel="FATAL")
    words = words_of(text)
    for word in words:
        if decoder.lookup_word(word) is None:
            decoder.add_word(word, PRONOUNCED[word], True)
    with wave.open(str(path)) as recording:
        samples = recording.readframes(recording.getnframes())
    decoder.set_align_text(" ".join(words))
    decoder.start_utt()
    decoder.process_raw(samples, full_utt=True)
    decoder.end_utt()
    spoken = [part for part in decoder.seg() if not part.word.startswith(("<", "[", "("))]
    frame = 10
    return [
        (re.sub(r"\(\d+\)$", "", part.word), part.start_frame * frame, (part.end_frame + 1) * frame)
        for part in spoken
    ]


def main() -> None:
    folder = Path(sys.argv[1])
    utterances = json.loads((folder / "transcripts.json").read_text())["utterances"]
    lines = [f"  {json.dumps(u['file'])}: {json.dumps(align(folder / u['file'], u['text']))}" for u in utterances]
    print("{\n" + ",\n".join(lines) + "\n}")


main()
