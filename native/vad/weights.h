#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
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

/// The model holds its network twice, each with weights of its own: for 16 kHz, and at half of everything for 8 kHz.
struct SileroVariant {
  /// Hz
  std::uint32_t rate;
  /// Samples of a window: 32 ms.
  std::size_t window;
  /// Samples of the window before that the model sees in front of a window. Without them its outputs are worthless.
  std::size_t context;
  /// Samples of a frame of its spectrum, every half of which one begins.
  std::size_t frame;
};
constexpr SileroVariant kWideVariant{16000, 512, 64, 256};
constexpr SileroVariant kNarrowVariant{8000, 256, 32, 128};

/// Weights of one half of Silero VAD v5, packed for one instruction set.
struct SileroWeights {
  SileroVariant half;
  Layer encoder[4];
  Layer lstm;
  std::vector<float> decoder;
  float decoderBias = 0;
};

/// Both halves of the model, packed for one instruction set. Read-only: threads may share it.
struct SileroModel {
  SileroWeights wide;
  SileroWeights narrow;

  /// Bytes of the file that `extract-weights.mjs` writes: the weights for 16 kHz, then those for 8 kHz.
  static std::size_t fileBytes();

  /// @param file the whole file, little-endian float32
  /// @returns false when the size is not `fileBytes()`
  bool load(const std::uint8_t* file, std::size_t length, const Kernels& kernels);

  /// One half, which keeps the model alive.
  static std::shared_ptr<const SileroWeights> wideOf(const std::shared_ptr<const SileroModel>& model) {
    return {model, &model->wide};
  }
  static std::shared_ptr<const SileroWeights> narrowOf(const std::shared_ptr<const SileroModel>& model) {
    return {model, &model->narrow};
  }
};

}  // namespace cochlea
