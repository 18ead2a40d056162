#pragma once

#include <napi.h>

namespace cochlea {

/// Single parts of the core, for tests that compare them with a reference and for measurements.

/// (weights: Uint8Array, pcm: Int16Array, streams: number, isa?: string, inFull?: boolean, rate?: number):
/// Float32Array. Probabilities of the whole windows of `pcm`, computed for `streams` (1..64) streams at once;
/// those of the first stream are returned. `inFull` computes windows of silence like any other. `rate`, that
/// of `pcm` and of the detector, is 16,000 unless told, or 8,000.
Napi::Value probeDetector(const Napi::CallbackInfo& info);

/// (options, probabilities: Float32Array): Float64Array. Events of a gate, then of its flush: kind, first,
/// last, speech start, speech end, cut.
Napi::Value probeGate(const Napi::CallbackInfo& info);

/// (rate: number, pcm: Int16Array): Int16Array at 16 kHz.
Napi::Value probeResampler(const Napi::CallbackInfo& info);

}  // namespace cochlea
