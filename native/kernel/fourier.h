#pragma once

#include <array>
#include <cstddef>

namespace cochlea {

/// Bins of the one-sided magnitude of a frame.
constexpr std::size_t fourierBins(std::size_t size) { return size / 2 + 1; }

struct FourierTurn {
  float re;
  float im;
};

/// Constants of a transform of `Size` (256 or 128) real samples: the window, and the twiddle factors of the
/// complex transform of half the size by which it is computed. Read-only; threads share it.
template <std::size_t Size>
struct FourierTable {
  /// Periodic Hann window, halved: the split of the half-size transform into the bins of the whole takes sums
  /// of two.
  std::array<float, Size> window;
  /// e^(-2 pi i k / (Size / 2)): the turns of the complex transform.
  std::array<FourierTurn, Size / 2> inner;
  /// e^(-2 pi i k / Size), k below Size / 4: the turns of the split.
  std::array<FourierTurn, Size / 4> split;

  static const FourierTable& get();
};

}  // namespace cochlea
