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
  /// Floats of a row of output: `outputs` rounded up to whole panels.
  std::size_t width = 0;
  AlignedFloats packed;
  AlignedFloats bias;
};

/// Sizes of a model. Silero VAD consists of two models with their own weights. All sizes of the 8 kHz model
/// are half of the 16 kHz model's.
struct SileroVariant {
  /// Hz
  std::uint32_t rate;
  /// Samples of a window: 32 ms.
  std::size_t window;
  /// Samples from the end of the previous window that precede each window in the input. Without them the
  /// output is wrong.
  std::size_t context;
  /// Samples of a frame of its spectrum. Frames overlap by half.
  std::size_t frame;
};
constexpr SileroVariant kWideVariant{16000, 512, 64, 256};
constexpr SileroVariant kNarrowVariant{8000, 256, 32, 128};

/// Weights of the 16 kHz or the 8 kHz model, packed for one instruction set.
struct SileroWeights {
  SileroVariant half;
  Layer encoder[4];
  Layer lstm;
  std::vector<float> decoder;
  float decoderBias = 0;
};

/// Both models, packed for one instruction set. Read-only; threads may share it.
struct SileroModel {
  SileroWeights wide;
  SileroWeights narrow;

  /// Bytes of the file of `extract-weights.mjs`: the weights for 16 kHz, then the weights for 8 kHz.
  static std::size_t fileBytes();

  /// @param file the whole file, little-endian float32
  /// @returns false if the size is not `fileBytes()`
  bool load(const std::uint8_t* file, std::size_t length, const Kernels& kernels);

  /// The weights of one model. The pointer keeps both models alive.
  static std::shared_ptr<const SileroWeights> wideOf(const std::shared_ptr<const SileroModel>& model) {
    return {model, &model->wide};
  }
  static std::shared_ptr<const SileroWeights> narrowOf(const std::shared_ptr<const SileroModel>& model) {
    return {model, &model->narrow};
  }
};

}  // namespace cochlea
