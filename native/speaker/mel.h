#pragma once

#include <cstddef>
#include <cstdint>

#include "kernel/kernels.h"

namespace cochlea {

/// Front end of the GE2E speaker encoder: power in 40 triangular bands on the Slaney scale, 0..8000 Hz, of
/// centred windows of 400 samples (periodic Hann) every 160 samples at 16 kHz. No logarithm.
///
/// The transform of 400 real points is computed as four small matrix products. Folding a frame about its
/// middle separates cosines from sines, and separating even from odd samples gives bin k and bin 200 - k from
/// the same products.
struct Mel {
  static constexpr std::size_t kWindow = 400;
  static constexpr std::size_t kHop = 160;
  static constexpr std::size_t kBands = 40;

  /// Number of frames of a recording; the first and the last extend beyond its ends, where samples are zero.
  static std::size_t frames(std::size_t samples) { return 1 + samples / kHop; }

  /// Safe from any thread.
  /// @param gain factor of the samples, which are divided by 32768
  /// @param out frames(samples) x kBands, row-major
  static void spectrogram(const std::int16_t* pcm, std::size_t samples, float gain, float* out,
                          const Kernels& kernels);
};

}  // namespace cochlea
