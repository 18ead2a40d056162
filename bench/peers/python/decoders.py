import ctypes
from collections.abc import Callable

import numpy as np
from opuslib import Decoder, OpusError
from opuslib.api.decoder import libopus_decode

Decode = Callable[[bytes], np.ndarray | None]

# Number of samples in 120 ms, the longest legal packet.
MAX_SAMPLES = 1920

# Samples of the last decode call. The caller uses them before the next call.
_buffer = np.empty(MAX_SAMPLES, np.int16)
_pointer = _buffer.ctypes.data_as(libopus_decode.argtypes[3])


def _opus() -> Decode:
    # Calls the C function that opuslib wraps, because it can write into `_buffer`. opuslib's own `decode`
    # copies the samples three times.
    decoder = Decoder(16000, 1)
    state = decoder.decoder_state

    def decode(data: bytes, decoder: Decoder = decoder) -> np.ndarray | None:
        count = libopus_decode(state, data, len(data), _pointer, MAX_SAMPLES, 0)
        return _buffer[:count] if count > 0 else None

    return decode


def _pcm16() -> Decode:
    return lambda data: np.frombuffer(data, "<i2", len(data) // 2)


def _pcm8() -> Decode:
    return lambda data: (np.frombuffer(data, np.uint8).astype(np.int16) - 128) << 8


_decoders = {"opus": _opus, "opus_fs320": _opus, "pcm16": _pcm16, "pcm8": _pcm8}


def decoder_for(codec: str, sample_rate: int) -> Decode | None:
    """Returns a function that decodes a message to mono samples at 16 kHz. The samples are valid
    until its next call. Returns None for an unsupported format."""
    if codec not in _decoders or (codec.startswith("pcm") and sample_rate != 16000):
        return None
    return _decoders[codec]()
