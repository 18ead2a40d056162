import time

import numpy as np

from counters import Counters
from decoders import Decode
from detector import CONTEXT, WINDOW, Detector, Track
from gate import Gate

SCALE = np.float32(1 / 32768)


class Stream:
    """The stream of one wearable: decodes frames, splits them into windows, detects and gates."""

    def __init__(self, decode: Decode, detector: Detector, counters: Counters) -> None:
        self._decode = decode
        self._counters = counters
        self._track = Track(detector)
        self._input = self._track.input[0]
        self._gate = Gate()
        self._filled = CONTEXT

    def push(self, data: bytes, arrived: float) -> None:
        """Processes one frame, which arrived at a time in s of `perf_counter`."""
        pcm = self._decode(data)
        if pcm is None:
            self._counters.frames_invalid += 1
            return
        self._counters.frames_decoded += 1
        at, length = 0, len(pcm)
        while at < length:
            count = min(length - at, CONTEXT + WINDOW - self._filled)
            np.multiply(pcm[at : at + count], SCALE, out=self._input[self._filled : self._filled + count])
            self._filled += count
            at += count
            if self._filled == CONTEXT + WINDOW:
                self._decide(arrived)

    def _decide(self, arrived: float) -> None:
        probability = self._track.run()
        self._input[:CONTEXT] = self._input[WINDOW:]
        self._filled = CONTEXT
        counters = self._counters
        if self._gate.step(probability):
            counters.speech_starts += 1
        counters.windows += 1
        counters.speech_windows += probability >= 0.5
        counters.observe(time.perf_counter() - arrived)
