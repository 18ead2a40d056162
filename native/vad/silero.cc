#include "vad/silero.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "kernel/fourier.h"

namespace cochlea {
namespace {

constexpr std::size_t kFrames = 4;
constexpr std::size_t kHidden = 128;

// Number of extra floats behind the last row. If the outputs of a layer did not fill whole panels, the layer
// would write past its last row. All current layers fill them, but wider panels could change this.
constexpr std::size_t kSlack = 64;

bool silent(const VadState& state, const std::int16_t* window, std::size_t length) {
  std::uint64_t any = 0;
  for (std::size_t i = 0; i < length; i += 4) {
    std::uint64_t four;
    std::memcpy(&four, window + i, sizeof four);
    any |= four;
  }
  return any == 0 && std::all_of(state.context.begin(), state.context.end(), [](float x) { return x == 0; });
}

}  // namespace

Silero::Silero(std::shared_ptr<const SileroWeights> weights, const Kernels& kernels, bool shortcuts)
    : weights_(std::move(weights)),
      kernels_(kernels),
      variant_(weights_->half),
      bins_(fourierBins(variant_.frame)),
      padded_(variant_.context + variant_.window + variant_.context),
      shortcuts_(shortcuts),
      input_(kBatch * padded_),
      magnitudes_(kBatch * (kFrames + 2) * bins_),
      first_(kBatch * (kFrames + 1) * 128 + kSlack),
      second_(kBatch * 2 * 64 + kSlack),
      third_(kBatch * 64 + kSlack),
      joined_(kBatch * 2 * kHidden + kSlack),
      gates_(kBatch * 4 * kHidden + kSlack),
      rectified_(kHidden),
      silence_(4 * kHidden) {
  if (shortcuts_) learnSilence();
}

void Silero::multiply(const Layer& layer, std::size_t rowCount) {
  kernels_.multiply(rows_.data(), rowCount, layer.depth, layer.packed.data(), layer.depth, layer.bias.data(),
                    layer.outputs, outs_.data());
}

void Silero::encode(VadState* const* states, const std::int16_t* const* windows, std::size_t count) {
  const SileroWeights& w = *weights_;
  const std::size_t window = variant_.window;
  const std::size_t context = variant_.context;

  for (std::size_t b = 0; b < count; ++b) {
    float* in = input_.data() + b * padded_;
    std::copy_n(states[b]->context.begin(), context, in);
    for (std::size_t i = 0; i < window; ++i) {
      in[context + i] = static_cast<float>(windows[b][i]) * kSampleScale;
    }
    const std::size_t end = context + window;
    for (std::size_t i = 0; i < context; ++i) in[end + i] = in[end - 2 - i];
    std::copy_n(in + window, context, states[b]->context.begin());
    for (std::size_t f = 0; f < kFrames; ++f) {
      rows_[b * kFrames + f] = in + f * variant_.frame / 2;
      outs_[b * kFrames + f] = magnitudes_.data() + (b * (kFrames + 2) + f + 1) * bins_;
    }
  }
  kernels_.spectrum(variant_.frame, rows_.data(), count * kFrames, outs_.data());

  convolve(w.encoder[0], count, kFrames, bins_, magnitudes_.data(), (kFrames + 2) * bins_, 1,
           first_.data() + 128, (kFrames + 1) * 128);
  kernels_.rectify(first_.data(), count * (kFrames + 1) * 128);

  convolve(w.encoder[1], count, 2, 128, first_.data(), (kFrames + 1) * 128, 2, second_.data(), 2 * 64);
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
  for (std::size_t b = 0; b < count; ++b) kernels_.rectify(joined_.data() + b * 2 * kHidden, kHidden);
}

void Silero::run(VadState* const* states, const std::int16_t* const* windows, std::size_t count,
                 float* probabilities) {
#ifdef COCHLEA_SLOW_DETECTOR
  std::array<VadState, kBatch> copies;
  std::array<VadState*, kBatch> rehearsal{};
  for (std::size_t b = 0; b < count; ++b) {
    copies[b] = *states[b];
    rehearsal[b] = &copies[b];
  }
  forward(rehearsal.data(), windows, count, probabilities);
#endif
  forward(states, windows, count, probabilities);
}

void Silero::forward(VadState* const* states, const std::int16_t* const* windows, std::size_t count,
                     float* probabilities) {
  std::array<VadState*, kBatch> active;
  std::array<const std::int16_t*, kBatch> sound;
  // Order of the windows for the LSTM cell: first the windows with sound, then the silent windows.
  std::array<std::size_t, kBatch> order;
  std::array<std::size_t, kBatch> still;
  std::size_t loud = 0;
  std::size_t quiet = 0;
  for (std::size_t b = 0; b < count; ++b) {
    if (!shortcuts_ || !silent(*states[b], windows[b], variant_.window)) {
      active[loud] = states[b];
      sound[loud] = windows[b];
      order[loud++] = b;
    } else {
      still[quiet++] = b;
    }
  }

  if (loud > 0) {
    encode(active.data(), sound.data(), loud);
    for (std::size_t i = 0; i < loud; ++i) {
      float* joined = joined_.data() + i * 2 * kHidden;
      std::copy(active[i]->hidden.begin(), active[i]->hidden.end(), joined + kHidden);
      rows_[i] = joined;
      outs_[i] = gates_.data() + i * 4 * kHidden;
    }
    multiply(weights_->lstm, loud);
  }
  if (quiet > 0) {
    for (std::size_t i = 0; i < quiet; ++i) {
      order[loud + i] = still[i];
      rows_[loud + i] = states[still[i]]->hidden.data();
      outs_[loud + i] = gates_.data() + (loud + i) * 4 * kHidden;
    }
    const Layer& lstm = weights_->lstm;
    kernels_.multiply(rows_.data() + loud, quiet, kHidden, lstm.packed.data() + kHidden * kernels_.panel,
                      lstm.depth, silence_.data(), lstm.outputs, outs_.data() + loud);
  }

  for (std::size_t i = 0; i < loud + quiet; ++i) {
    VadState& state = *states[order[i]];
    kernels_.lstm(outs_[i], state.cell.data(), state.hidden.data(), kHidden);
    probabilities[order[i]] = score(state);
  }
}

/// Applies a convolution of width 3, with one frame of padding on each side of a window. Products with
/// padding are skipped, so the first output uses only two taps. If `step` is 1, this also holds for the last
/// output.
/// @param in the windows one after another. Each has `frames * step` frames, including its padding.
void Silero::convolve(const Layer& layer, std::size_t windows, std::size_t frames, std::size_t channels,
                      const float* in, std::size_t inStride, std::size_t step, float* out,
                      std::size_t outStride) {
  const auto part = [&](std::size_t from, std::size_t to, std::size_t firstTap, std::size_t taps) {
    std::size_t rows = 0;
    for (std::size_t b = 0; b < windows; ++b) {
      for (std::size_t f = from; f < to; ++f) {
        rows_[rows] = in + b * inStride + (f * step + firstTap) * channels;
        outs_[rows++] = out + b * outStride + f * layer.outputs;
      }
    }
    kernels_.multiply(rows_.data(), rows, taps * channels,
                      layer.packed.data() + firstTap * channels * kernels_.panel, layer.depth,
                      layer.bias.data(), layer.outputs, outs_.data());
  };
  // Fewer than four windows are computed in one part, including the products with padding. Most of the time
  // is spent on reading weights, and each further part would read the weights again.
  if (windows < 4) return part(0, frames, 0, 3);
  const std::size_t last = step == 1 ? frames - 1 : frames;
  part(0, 1, 1, 2);
  part(1, last, 0, 3);
  if (last < frames) part(last, frames, 0, 2);
}

float Silero::score(const VadState& state) {
  std::copy(state.hidden.begin(), state.hidden.end(), rectified_.begin());
  kernels_.rectify(rectified_.data(), kHidden);
  const float sum =
      kernels_.dot(rectified_.data(), weights_->decoder.data(), kHidden) + weights_->decoderBias;
  return 1.0f / (1.0f + std::exp(-sum));
}

void Silero::sumWindows(VadState& state, const std::int16_t* samples, std::size_t count) {
  const Layer& lstm = weights_->lstm;
  std::array<VadState, kBatch> copies;
  std::array<VadState*, kBatch> states;
  std::array<const std::int16_t*, kBatch> windows;
  sums_.resize(count * lstm.outputs + kSlack);
  for (std::size_t from = 0; from < count; from += kBatch) {
    const std::size_t some = std::min(kBatch, count - from);
    for (std::size_t b = 0; b < some; ++b) {
      states[b] = &copies[b];
      windows[b] = samples + (from + b) * variant_.window;
      if (from + b == 0) {
        copies[b].context = state.context;
      } else {
        copies[b].skip(windows[b], variant_.context);
      }
    }
    encode(states.data(), windows.data(), some);
    state.context = copies[some - 1].context;
    for (std::size_t b = 0; b < some; ++b) {
      rows_[b] = joined_.data() + b * 2 * kHidden;
      outs_[b] = sums_.data() + (from + b) * lstm.outputs;
    }
    kernels_.multiply(rows_.data(), some, kHidden, lstm.packed.data(), lstm.depth, lstm.bias.data(),
                      lstm.outputs, outs_.data());
  }
}

void Silero::settle(VadState& state, const std::int16_t* samples, std::size_t count, std::size_t skipped,
                    float* probabilities) {
  if (count == 0) return;
  const Layer& lstm = weights_->lstm;
  VadState next = state;
  sumWindows(next, samples, count);
  const auto step = [&](std::size_t window) {
    rows_[0] = next.hidden.data();
    outs_[0] = gates_.data();
    kernels_.multiply(rows_.data(), 1, kHidden, lstm.packed.data() + kHidden * kernels_.panel, lstm.depth,
                      sums_.data() + window * lstm.outputs, lstm.outputs, outs_.data());
    kernels_.lstm(gates_.data(), next.cell.data(), next.hidden.data(), kHidden);
  };
  for (std::size_t left = skipped; left > 0; --left) step((count - left % count) % count);
  for (std::size_t w = 0; w < count; ++w) {
    step(w);
    probabilities[w] = score(next);
  }
  state = next;
}

void Silero::learnSilence() {
  const Layer& lstm = weights_->lstm;
  const std::int16_t nothing[kWindow] = {};
  const std::int16_t* window = nothing;
  VadState fresh;
  VadState* state = &fresh;
  encode(&state, &window, 1);
  rows_[0] = joined_.data();
  outs_[0] = silence_.data();
  kernels_.multiply(rows_.data(), 1, kHidden, lstm.packed.data(), lstm.depth, lstm.bias.data(), lstm.outputs,
                    outs_.data());
}

}  // namespace cochlea
