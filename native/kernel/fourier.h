#pragma once

#include <array>
#include <cstddef>

namespace cochlea {

/// Samples of one frame of the spectrum, and bins of its one-sided magnitude.
constexpr std::size_t kFourierSize = 256;
constexpr std::size_t kFourierBins = kFourierSize / 2 + 1;

/// Constants of a 256-point transform of real input: the window, and the turns of the complex transform of half the size
/// that does the work. Read-only: threads share it.
struct FourierTable {
  struct Turn {
    float re;
    float im;
  };

  /// Periodic Hann window, halved: the split of the half-size transform into the bins of the whole takes sums of two.
  std::array<float, kFourierSize> window;
  /// e^(-2 pi i k / 128): the turns of the complex transform.
  std::array<Turn, kFourierSize / 2> inner;
  /// e^(-2 pi i k / 256), k below 64: the turns of the split.
  std::array<Turn, kFourierSize / 4> split;

  static const FourierTable& get();
};

}  // namespace cochlea
