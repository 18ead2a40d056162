#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernel/aligned.h"
#include "kernel/kernels.h"

namespace cochlea {

/// One layer of the network: weights packed for `Kernels::multiply`, and a bias padded to whole panels.
struct Layer {
  std::size_t depth = 0;
  std::size_t outputs = 0;
  /// Number of floats in a row of output: `outputs` rounded up to whole panels.
  std::size_t width = 0;
  AlignedFloats packed;
  AlignedFloats bias;
};

/// Sizes of a model. Silero VAD consists of two models with separate weights. All sizes of the 8 kHz model
/// are half the sizes of the 16 kHz model.
struct SileroVariant {
  /// Sample rate in Hz.
  std::uint32_t rate;
  /// Number of samples in a window: 32 ms.
  std::size_t window;
  /// Number of samples of context: the last samples of the previous window, which precede each window in the
  /// input. Without them the output is wrong.
  std::size_t context;
  /// Number of samples in a frame of the spectrum. Frames overlap by half.
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

/// Both models, packed for one instruction set. They are read-only, so threads may share them.
struct SileroModel {
  SileroWeights wide;
  SileroWeights narrow;

  /// Returns the number of bytes of the file that `extract-weights.mjs` writes: the weights for 16 kHz,
  /// then the weights for 8 kHz.
  static std::size_t fileBytes();

  /// Reads the weights. @param file the complete file, little-endian float32
  /// @returns false if the length of the file is not `fileBytes()`
  bool load(const std::uint8_t* file, std::size_t length, const Kernels& kernels);

  /// Returns the weights of one model. The returned pointer keeps both models alive.
  static std::shared_ptr<const SileroWeights> wideOf(const std::shared_ptr<const SileroModel>& model) {
    return {model, &model->wide};
  }
  static std::shared_ptr<const SileroWeights> narrowOf(const std::shared_ptr<const SileroModel>& model) {
    return {model, &model->narrow};
  }
};

}  // namespace cochlea
