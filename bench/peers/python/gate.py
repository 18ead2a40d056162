import json
import sys

# Settings of the engine's gate: thresholds as probabilities, and times in ms.
USUAL = json.loads(sys.argv[2])

WINDOW = 512
ONSET = USUAL["onset"]
OFF = USUAL["off"]
END_SILENCE = USUAL["endSilence"] * 16
MIN_SPEECH = USUAL["minSpeech"] * 16
MAX_UTTERANCE = USUAL["maxUtterance"] * 16


class Gate:
    """Finds the start and end of speech with the engine's thresholds. Stores no audio."""

    __slots__ = ("_position", "_open", "_announced", "_start", "_silence")

    def __init__(self) -> None:
        self._position = 0
        self._open = False
        self._announced = False
        self._start = 0
        self._silence = -1

    def step(self, probability: float) -> bool:
        """Processes the speech probability of one window. Returns whether speech has just reached its
        minimum length."""
        window_start = self._position
        self._position += WINDOW
        if not self._open:
            if probability < ONSET:
                return False
            self._open = True
            self._announced = False
            self._start = window_start
            self._silence = -1
        elif probability >= OFF:
            self._silence = -1
        elif self._silence < 0:
            self._silence = window_start
        voiced = self._position if self._silence < 0 else self._silence
        announce = not self._announced and voiced - self._start >= MIN_SPEECH
        if announce:
            self._announced = True
        if self._silence >= 0 and self._position - self._silence >= END_SILENCE:
            self._open = False
        elif self._position - self._start >= MAX_UTTERANCE:
            self._start = self._position
        return announce
