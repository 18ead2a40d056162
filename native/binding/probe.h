#pragma once

#include <napi.h>

namespace cochlea {

/// Runs single parts of the core, for comparisons with a reference in tests, and for measurements.

/// (weights: Uint8Array, pcm: Int16Array, streams: number, isa?: string, inFull?: boolean, rate?: number):
/// Float32Array. Computes the probabilities of the whole windows of `pcm` for `streams` (1..64) streams at
/// once, and returns the result of the first stream. `inFull` computes windows of silence like any other.
/// `rate` is the rate of `pcm` and of the detector: 16,000 (default) or 8,000.
Napi::Value probeDetector(const Napi::CallbackInfo& info);

/// (options, probabilities: Float32Array): Float64Array. Events of a gate, then of its flush. Each event is
/// six numbers: kind, first, last, speech start, speech end, cut.
Napi::Value probeGate(const Napi::CallbackInfo& info);

/// (rate: number, pcm: Int16Array): Int16Array at 16 kHz.
Napi::Value probeResampler(const Napi::CallbackInfo& info);

}  // namespace cochlea
