#pragma once

#include <napi.h>

namespace cochlea {

/// These functions run single parts of the core, for comparisons with a reference in tests and for
/// measurements.

/// (weights: Uint8Array, pcm: Int16Array, streams: number, isa?: string, inFull?: boolean, rate?: number):
/// Float32Array. Computes the probabilities of the complete windows of `pcm`, for `streams` (1..64) streams
/// at once. It returns the result of the first stream. If `inFull` is true, windows of silence are computed
/// like any other. `rate` is the sample rate of `pcm` and of the detector: 16,000 (default) or 8,000.
Napi::Value probeDetector(const Napi::CallbackInfo& info);

/// (options, probabilities: Float32Array, lingers?: Uint8Array): Float64Array. Runs a gate and then flushes
/// it. `lingers` has a number for each window: other than 0 if the gate lingers from this window on. Returns
/// the events. Each event is seven numbers: kind, first, last, speech start, speech end, cut, probability.
Napi::Value probeGate(const Napi::CallbackInfo& info);

/// (rate: number, pcm: Int16Array): Int16Array. Resamples `pcm` from `rate` to 16 kHz.
Napi::Value probeResampler(const Napi::CallbackInfo& info);

}  // namespace cochlea
