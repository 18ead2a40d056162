#pragma once

#include <array>
#include <cstddef>

namespace cochlea {

/// Returns the number of bins in the one-sided magnitude spectrum of a frame.
constexpr std::size_t fourierBins(std::size_t size) { return size / 2 + 1; }

struct FourierTurn {
  float re;
  float im;
};

/// Constants for a transform of `Size` (256 or 128) real samples: the window and the twiddle factors. The
/// transform is computed with a complex transform of half the size. The constants are read-only, so threads
/// share them.
template <std::size_t Size>
struct FourierTable {
  /// Periodic Hann window, halved. The split into the bins of the full transform adds two values, so each
  /// must be half.
  std::array<float, Size> window;
  /// e^(-2 pi i k / (Size / 2)): the twiddle factors of the complex transform.
  std::array<FourierTurn, Size / 2> inner;
  /// e^(-2 pi i k / Size), k below Size / 4: the twiddle factors of the split.
  std::array<FourierTurn, Size / 4> split;

  static const FourierTable& get();
};

}  // namespace cochlea
