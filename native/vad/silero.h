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
constexpr std::size_t kWindow = kWideVariant.window;

/// State of the detector for one stream.
struct VadState {
  std::array<float, 128> hidden{};
  std::array<float, 128> cell{};
  /// The 8 kHz model uses the first half of it.
  std::array<float, kWideVariant.context> context{};
};

/// Silero VAD v5: a spectrum of four frames, four convolutions, an LSTM cell, one output.
/// Windows of different streams are computed together, so that weights are read once for a batch; the result
/// of a stream does not depend on the others. Owned by one thread. Architecture: the published ONNX model
/// (snakers4/silero-vad, MIT).
///
/// For a window of digital silence after a context of silence the result of the convolutions is known, so
/// only the cell is stepped. The result is the same to the last bit. The cell cannot be skipped, too, because
/// some of its values keep changing during silence.
class Silero {
 public:
  /// Most windows of one `run`.
  static constexpr std::size_t kBatch = 16;

  /// @param shortcuts whether the convolutions of silent windows may be skipped; otherwise every window is
  /// computed in full
  Silero(std::shared_ptr<const SileroWeights> weights, const Kernels& kernels, bool shortcuts = true);

  /// Probability of speech in each window; states advance.
  /// @param states one per window, all different; borrowed for the call
  /// @param windows pointers to `weights->half.window` samples each, at its rate
  /// @param count at most `kBatch`
  void run(VadState* const* states, const std::int16_t* const* windows, std::size_t count,
           float* probabilities);

 private:
  void forward(VadState* const* states, const std::int16_t* const* windows, std::size_t count,
               float* probabilities);
  void encode(VadState* const* states, const std::int16_t* const* windows, std::size_t count);
  void multiply(const Layer& layer, std::size_t rowCount);
  void convolve(const Layer& layer, std::size_t windows, std::size_t frames, std::size_t channels,
                const float* in, std::size_t inStride, std::size_t step, float* out, std::size_t outStride);
  float score(const VadState& state);
  void learnSilence();

  std::shared_ptr<const SileroWeights> weights_;
  const Kernels& kernels_;
  const SileroVariant variant_;
  /// Bins of a frame's spectrum.
  const std::size_t bins_;
  /// Context, window, and the reflection that pads the end.
  const std::size_t padded_;
  bool shortcuts_;
  std::vector<float> input_;
  std::vector<float> magnitudes_;
  std::vector<float> first_;
  std::vector<float> second_;
  std::vector<float> third_;
  std::vector<float> joined_;
  std::vector<float> gates_;
  std::vector<float> rectified_;
  /// Contribution of a window of silence to the gates, bias included.
  std::vector<float> silence_;
  std::array<const float*, kBatch * 4> rows_{};
  std::array<float*, kBatch * 4> outs_{};
};

}  // namespace cochlea
