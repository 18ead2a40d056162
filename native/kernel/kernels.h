#pragma once

#include <cstddef>

namespace cochlea {

/// The most expensive loops. They are compiled for each instruction set, and the program chooses the set at
/// run time. One binary therefore runs on every machine. All arithmetic is float32.
struct Kernels {
  const char* isa;

  /// Number of outputs in a panel of weights. Weights are packed as [outputs / panel][depth][panel], padded
  /// with zeros.
  std::size_t panel;

  /// Multiplies rows with weights: out[r][n] = bias[n] + sum over k of rows[r][k] * weights[k][n].
  /// @param rows one pointer per row, each to `depth` floats
  /// @param packed weights in panels of this instruction set, starting at the first k that is used
  /// @param panelDepth depth of a complete panel; larger than `depth` if only a part of the panel is used
  /// @param bias array whose length is `outputs` rounded up to whole panels
  /// @param out one pointer per row, each to space for `outputs` floats rounded up to whole panels
  void (*multiply)(const float* const* rows, std::size_t rowCount, std::size_t depth, const float* packed,
                   std::size_t panelDepth, const float* bias, std::size_t outputs, float* const* out);

  /// Returns the sum of a[i] * b[i].
  float (*dot)(const float* a, const float* b, std::size_t length);

  /// Computes the magnitudes of the discrete Fourier transform of frames under a periodic Hann window.
  /// @param size number of samples in a frame: 256 or 128
  /// @param frames `count` pointers to `size` floats
  /// @param magnitudes `count` pointers to space for `fourierBins(size)` floats
  void (*spectrum)(std::size_t size, const float* const* frames, std::size_t count, float* const* magnitudes);

  /// Replaces negative values by zero: values[i] = max(values[i], 0).
  void (*rectify)(float* values, std::size_t length);

  /// Computes one step of an LSTM cell. `gates` contains the input, forget, cell and output gates, with
  /// `size` floats each. The function updates `cell` and writes `hidden`.
  void (*lstm)(const float* gates, float* cell, float* hidden, std::size_t size);
};

/// Returns the kernels of the best instruction set that this machine supports.
const Kernels& kernels();

/// Returns the kernels of an instruction set (avx512, avx2, neon, scalar), or nullptr if this machine does
/// not support it.
const Kernels* kernelsNamed(const char* isa);

inline std::size_t roundUp(std::size_t value, std::size_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

}  // namespace cochlea
