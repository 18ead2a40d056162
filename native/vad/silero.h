#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernel/kernels.h"
#include "vad/weights.h"

namespace cochlea {

/// Samples of a window at 16 kHz: 32 ms.
constexpr std::size_t kWindow = 512;
/// Samples of the window before that the model sees in front of a window. Without them its outputs are worthless.
constexpr std::size_t kContext = 64;

/// What the detector remembers of one stream.
struct VadState {
  std::array<float, 128> hidden{};
  std::array<float, 128> cell{};
  std::array<float, kContext> context{};
};

/// Silero VAD v5 at 16 kHz: a 256-point STFT with hop 128 as a convolution, four convolutions, an LSTM cell, one output.
/// Windows of different streams are computed together, so that weights are read once a batch. Belongs to one thread.
/// Architecture: the published ONNX model (snakers4/silero-vad, MIT).
class Silero {
 public:
  /// Most windows of one `run`.
  static constexpr std::size_t kBatch = 16;

  Silero(std::shared_ptr<const SileroWeights> weights, const Kernels& kernels);

  /// Probability of speech in each window; states advance.
  /// @param states one per window, all different; borrowed for the call
  /// @param windows pointers to `kWindow` samples each
  /// @param count at most `kBatch`
  void run(VadState* const* states, const std::int16_t* const* windows, std::size_t count, float* probabilities);

 private:
  void multiply(const Layer& layer, std::size_t rowCount);

  std::shared_ptr<const SileroWeights> weights_;
  const Kernels& kernels_;
  std::vector<float> input_;
  std::vector<float> magnitudes_;
  std::vector<float> first_;
  std::vector<float> second_;
  std::vector<float> third_;
  std::vector<float> joined_;
  std::vector<float> gates_;
  std::array<const float*, kBatch * 4> rows_{};
  std::array<float*, kBatch * 4> outs_{};
};

}  // namespace cochlea
