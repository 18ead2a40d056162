#pragma once

#include <cstddef>
#include <cstdint>

#include "kernel/kernels.h"

namespace cochlea {

/// Front end of the GE2E speaker encoder. It computes the power in 40 triangular bands on the Slaney scale,
/// from 0 to 8000 Hz, without logarithm. Its windows have 400 samples (periodic Hann) and are centred on
/// every 160th sample at 16 kHz.
///
/// Four small matrix products compute the transform of 400 real points. Folding a frame about its middle
/// separates cosines from sines. Even and odd samples are separate, so the same products give bin k and bin
/// 200 - k.
struct Mel {
  static constexpr std::size_t kWindow = 400;
  static constexpr std::size_t kHop = 160;
  static constexpr std::size_t kBands = 40;

  /// Returns the number of frames of a recording. The first and the last frame extend beyond the recording,
  /// where samples are zero.
  static std::size_t frames(std::size_t samples) { return 1 + samples / kHop; }

  /// Computes the bands of a recording. Any thread may call this function.
  /// @param gain factor for the samples, applied after they are divided by 32768
  /// @param out space for frames(samples) x kBands floats, row-major
  static void spectrogram(const std::int16_t* pcm, std::size_t samples, float gain, float* out,
                          const Kernels& kernels);
};

}  // namespace cochlea
