#pragma once

#include <napi.h>

namespace cochlea {

/// Functions over whole recordings and matrices. src/audio/analysis.ts checks their arguments. They block
/// the calling thread.

/// (pcm: Int16Array, gain: number): Float32Array of shape frames x 40.
Napi::Value melSpectrogram(const Napi::CallbackInfo& info);

/// (query: Float32Array, matrix: Float32Array, rows: number, dims: number, k: number): Float64Array of
/// alternating row and similarity, best first. Undefined if the arrays are shorter than `rows` and `dims`
/// require.
Napi::Value cosineTopK(const Napi::CallbackInfo& info);

}  // namespace cochlea
