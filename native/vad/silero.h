#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernel/kernels.h"
#include "vad/weights.h"

namespace cochlea {

/// Number of samples in a window at 16 kHz: 32 ms.
constexpr std::size_t kWindow = kWideVariant.window;

/// Factor from a sample of 16 bits to an input of the model.
constexpr float kSampleScale = 1.0f / 32768;

/// State of the detector for one stream.
struct VadState {
  std::array<float, 128> hidden{};
  std::array<float, 128> cell{};
  /// Last samples of the previous window. The 8 kHz model uses only the first half.
  std::array<float, kWideVariant.context> context{};

  /// Updates the context after a window that the detector does not process.
  /// @param end address behind the window's last sample
  /// @param count number of samples at the end of a window that the model keeps as context
  void skip(const std::int16_t* end, std::size_t count = kWideVariant.context) {
    const std::int16_t* first = end - count;
    for (std::size_t i = 0; i < count; ++i) context[i] = static_cast<float>(first[i]) * kSampleScale;
  }
};

/// The detector Silero VAD v5: a spectrum of four frames, four convolutions, an LSTM cell and one output.
/// Windows of different streams are computed together, so that weights are read once for a batch. The result
/// of a stream does not depend on the other streams. Owned by one thread. Architecture: the published ONNX
/// model (snakers4/silero-vad, MIT).
///
/// If a window and its context are digital silence, the result of the convolutions is known, so the
/// convolutions are skipped. The output is the same as without skipping, in every bit. The LSTM cell cannot
/// be skipped, because some of its values keep changing during silence.
class Silero {
 public:
  /// Maximum number of windows in one `run`.
  static constexpr std::size_t kBatch = 16;

  /// @param shortcuts whether the convolutions of silent windows may be skipped
  Silero(std::shared_ptr<const SileroWeights> weights, const Kernels& kernels, bool shortcuts = true);

  /// Computes the probability of speech in each window, and advances the states.
  /// @param states one per window, all different; not used after the call
  /// @param windows pointers to `weights->half.window` samples each, at the rate of the model
  /// @param count at most `kBatch`
  void run(VadState* const* states, const std::int16_t* const* windows, std::size_t count,
           float* probabilities);

  /// Processes consecutive windows of one stream after windows that were skipped. The state remembers up to a
  /// minute of the sound around a speaker. So the LSTM cell first runs repeatedly over the given windows,
  /// which stand for the skipped ones.
  /// @param samples `count` windows, at the rate of the model
  /// @param skipped number of skipped windows
  /// @param probabilities space for `count` probabilities
  void settle(VadState& state, const std::int16_t* samples, std::size_t count, std::size_t skipped,
              float* probabilities);

 private:
  void forward(VadState* const* states, const std::int16_t* const* windows, std::size_t count,
               float* probabilities);
  void encode(VadState* const* states, const std::int16_t* const* windows, std::size_t count);
  void multiply(const Layer& layer, std::size_t rowCount);
  void convolve(const Layer& layer, std::size_t windows, std::size_t frames, std::size_t channels,
                const float* in, std::size_t inStride, std::size_t step, float* out, std::size_t outStride);
  float score(const VadState& state);
  /// Computes the sums that windows of one stream contribute to the gates of the LSTM cell.
  void sumWindows(VadState& state, const std::int16_t* samples, std::size_t count);
  void learnSilence();

  std::shared_ptr<const SileroWeights> weights_;
  const Kernels& kernels_;
  const SileroVariant variant_;
  /// Number of bins in the spectrum of a frame.
  const std::size_t bins_;
  /// Number of samples in an input: context, window, and a reflection of the end that serves as padding.
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
  /// Sum that a silent window contributes to the gates of the LSTM cell, including the bias.
  std::vector<float> silence_;
  /// Sums that the windows of `settle` contribute to the gates of the LSTM cell.
  std::vector<float> sums_;
  std::array<const float*, kBatch * 4> rows_{};
  std::array<float*, kBatch * 4> outs_{};
};

}  // namespace cochlea
