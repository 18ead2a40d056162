#include "vad/silero.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernel/fourier.h"

namespace cochlea {
namespace {

constexpr std::size_t kFrames = 4;
constexpr std::size_t kHop = 128;
constexpr std::size_t kBins = kFourierBins;
constexpr std::size_t kHidden = 128;
/// Context, window, and the reflection that pads the end.
constexpr std::size_t kPadded = kContext + kWindow + 64;

// A layer whose outputs fill no whole panel would spill past the last row; none does. The slack keeps a wider panel from
// ever writing out of bounds.
constexpr std::size_t kSlack = 64;

}  // namespace

Silero::Silero(std::shared_ptr<const SileroWeights> weights, const Kernels& kernels)
    : weights_(std::move(weights)),
      kernels_(kernels),
      input_(kBatch * kPadded),
      magnitudes_(kBatch * (kFrames + 2) * kBins),
      first_(kBatch * (kFrames + 1) * 128 + kSlack),
      second_(kBatch * 2 * 64 + kSlack),
      third_(kBatch * 64 + kSlack),
      joined_(kBatch * 2 * kHidden + kSlack),
      gates_(kBatch * 4 * kHidden + kSlack) {}

void Silero::multiply(const Layer& layer, std::size_t rowCount) {
  kernels_.multiply(rows_.data(), rowCount, layer.depth, layer.packed.data(), layer.bias.data(), layer.outputs,
                    outs_.data());
}

void Silero::run(VadState* const* states, const std::int16_t* const* windows, std::size_t count,
                 float* probabilities) {
  const SileroWeights& w = *weights_;

  for (std::size_t b = 0; b < count; ++b) {
    float* in = input_.data() + b * kPadded;
    std::copy(states[b]->context.begin(), states[b]->context.end(), in);
    for (std::size_t i = 0; i < kWindow; ++i) in[kContext + i] = static_cast<float>(windows[b][i]) * (1.0f / 32768);
    const std::size_t end = kContext + kWindow;
    for (std::size_t i = 0; i < 64; ++i) in[end + i] = in[end - 2 - i];
    std::copy(in + kWindow, in + kWindow + kContext, states[b]->context.begin());
    for (std::size_t f = 0; f < kFrames; ++f) {
      rows_[b * kFrames + f] = in + f * kHop;
      outs_[b * kFrames + f] = magnitudes_.data() + (b * (kFrames + 2) + f + 1) * kBins;
    }
  }
  kernels_.spectrum(rows_.data(), count * kFrames, outs_.data());

  for (std::size_t b = 0; b < count; ++b) {
    float* frames = magnitudes_.data() + b * (kFrames + 2) * kBins;
    float* convolved = first_.data() + b * (kFrames + 1) * 128;
    for (std::size_t f = 0; f < kFrames; ++f) {
      rows_[b * kFrames + f] = frames + f * kBins;
      outs_[b * kFrames + f] = convolved + (f + 1) * 128;
    }
  }
  multiply(w.encoder[0], count * kFrames);
  kernels_.rectify(first_.data(), count * (kFrames + 1) * 128);

  for (std::size_t b = 0; b < count; ++b) {
    for (std::size_t f = 0; f < 2; ++f) {
      rows_[b * 2 + f] = first_.data() + b * (kFrames + 1) * 128 + f * 2 * 128;
      outs_[b * 2 + f] = second_.data() + (b * 2 + f) * 64;
    }
  }
  multiply(w.encoder[1], count * 2);
  kernels_.rectify(second_.data(), count * 2 * 64);

  for (std::size_t b = 0; b < count; ++b) {
    rows_[b] = second_.data() + b * 2 * 64;
    outs_[b] = third_.data() + b * 64;
  }
  multiply(w.encoder[2], count);
  kernels_.rectify(third_.data(), count * 64);

  for (std::size_t b = 0; b < count; ++b) {
    rows_[b] = third_.data() + b * 64;
    outs_[b] = joined_.data() + b * 2 * kHidden;
  }
  multiply(w.encoder[3], count);

  for (std::size_t b = 0; b < count; ++b) {
    float* joined = joined_.data() + b * 2 * kHidden;
    kernels_.rectify(joined, kHidden);
    std::copy(states[b]->hidden.begin(), states[b]->hidden.end(), joined + kHidden);
    rows_[b] = joined;
    outs_[b] = gates_.data() + b * 4 * kHidden;
  }
  multiply(w.lstm, count);

  for (std::size_t b = 0; b < count; ++b) {
    VadState& state = *states[b];
    kernels_.lstm(outs_[b], state.cell.data(), state.hidden.data(), kHidden);
    float score = w.decoderBias;
    for (std::size_t i = 0; i < kHidden; ++i) score += std::max(state.hidden[i], 0.0f) * w.decoder[i];
    probabilities[b] = 1.0f / (1.0f + std::exp(-score));
  }
}

}  // namespace cochlea
