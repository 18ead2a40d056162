#pragma once

#include <napi.h>

namespace cochlea {

/// Functions over complete recordings and matrices. src/audio/analysis.ts checks their arguments. The
/// functions block the calling thread.

/// (pcm: Int16Array, gain: number): Float32Array of shape frames x 40. Computes the mel spectrogram of
/// `pcm`.
Napi::Value melSpectrogram(const Napi::CallbackInfo& info);

/// (query: Float32Array, matrix: Float32Array, rows: number, dims: number, k: number): Float64Array. Finds
/// the `k` rows of `matrix` that are most similar to `query`. The result alternates row and similarity,
/// best first. It is undefined if the arrays are shorter than `rows` and `dims` require.
Napi::Value cosineTopK(const Napi::CallbackInfo& info);

}  // namespace cochlea
