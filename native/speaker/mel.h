#pragma once

#include <cstddef>
#include <cstdint>

#include "kernel/kernels.h"

namespace cochlea {

/// Front end of the GE2E speaker encoder: power in 40 triangular bands on the Slaney scale, 0..8000 Hz,
/// without logarithm. The windows are centred, with 400 samples (periodic Hann) every 160 samples at 16 kHz.
///
/// Four small matrix products compute the transform of 400 real points. Folding a frame about its middle
/// separates cosines from sines. With even and odd samples apart, the same products give bin k and bin
/// 200 - k.
struct Mel {
  static constexpr std::size_t kWindow = 400;
  static constexpr std::size_t kHop = 160;
  static constexpr std::size_t kBands = 40;

  /// Number of frames of a recording. The first and the last frame extend beyond its ends, where samples are
  /// zero.
  static std::size_t frames(std::size_t samples) { return 1 + samples / kHop; }

  /// Computes the bands of a recording. Any thread may call it.
  /// @param gain factor for the samples, after they are divided by 32768
  /// @param out frames(samples) x kBands, row-major
  static void spectrogram(const std::int16_t* pcm, std::size_t samples, float gain, float* out,
                          const Kernels& kernels);
};

}  // namespace cochlea
