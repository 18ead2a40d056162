#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernel/aligned.h"
#include "kernel/kernels.h"

namespace cochlea {

/// One layer: weights packed for `Kernels::multiply`, and its bias padded to whole panels.
struct Layer {
  std::size_t depth = 0;
  std::size_t outputs = 0;
  /// `outputs` rounded up to the panel: room a row of output needs.
  std::size_t width = 0;
  AlignedFloats packed;
  AlignedFloats bias;
};

/// The 16 kHz weights of Silero VAD v5, packed for one instruction set. Read-only: threads may share it.
struct SileroWeights {
  Layer encoder[4];
  Layer lstm;
  std::vector<float> decoder;
  float decoderBias = 0;

  /// Bytes of the file that `extract-weights.mjs` writes.
  static std::size_t fileBytes();

  /// @param file the whole file, little-endian float32
  /// @returns false when the size is not `fileBytes()`
  bool load(const std::uint8_t* file, std::size_t length, const Kernels& kernels);
};

}  // namespace cochlea
