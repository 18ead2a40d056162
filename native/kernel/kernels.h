#pragma once

#include <cstddef>

namespace cochlea {

/// The most expensive loops, compiled for each instruction set and chosen at run time, so that one binary
/// runs on every machine. All arithmetic is float32.
struct Kernels {
  const char* isa;

  /// Outputs per weight panel. Weights are packed as [outputs / panel][depth][panel], padded with zeros.
  std::size_t panel;

  /// out[r][n] = bias[n] + sum over k of rows[r][k] * weights[k][n].
  /// @param rows one pointer per row, each to `depth` floats
  /// @param packed weights in panels of this instruction set, starting at the first k that is used
  /// @param panelDepth depth of a whole panel; larger than `depth` if only a part of the panel is used
  /// @param bias `outputs` floats rounded up to the panel
  /// @param out row-major; each row has space for `outputs` rounded up to the panel
  void (*multiply)(const float* const* rows, std::size_t rowCount, std::size_t depth, const float* packed,
                   std::size_t panelDepth, const float* bias, std::size_t outputs, float* const* out);

  /// Sum of a[i] * b[i].
  float (*dot)(const float* a, const float* b, std::size_t length);

  /// Magnitudes of the discrete Fourier transform of frames under a periodic Hann window.
  /// @param size samples of a frame: 256 or 128
  /// @param frames `count` pointers to `size` floats
  /// @param magnitudes `count` pointers to space for `fourierBins(size)` floats
  void (*spectrum)(std::size_t size, const float* const* frames, std::size_t count, float* const* magnitudes);

  /// values[i] = max(values[i], 0).
  void (*rectify)(float* values, std::size_t length);

  /// One step of an LSTM cell. The gates are input, forget, cell, output, with `size` floats each. It updates
  /// `cell` and writes `hidden`.
  void (*lstm)(const float* gates, float* cell, float* hidden, std::size_t size);
};

/// The kernels of the best instruction set of this machine.
const Kernels& kernels();

/// The kernels of an instruction set (avx512, avx2, neon, scalar), or nullptr if this machine does not
/// support it.
const Kernels* kernelsNamed(const char* isa);

inline std::size_t roundUp(std::size_t value, std::size_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

}  // namespace cochlea
