#include "stream/recording.h"

#include <algorithm>
#include <optional>

#include "vad/silero.h"

namespace cochlea {
namespace {

constexpr std::uint32_t kRate = 16000;
/// Unneeded samples are freed only in groups of at least this number, so that the cost per window is small.
constexpr std::size_t kStep = 1024;

std::ptrdiff_t signedOf(std::size_t count) { return static_cast<std::ptrdiff_t>(count); }

}  // namespace

Recording::Recording(std::uint32_t rate, std::int64_t preRoll)
    : scale_(kRate / rate),
      table_(rate == kRate ? nullptr : ResampleTable::of(rate)),
      reach_(table_ ? table_->taps / 2 : 0),
      idleLimit_(
          ((static_cast<std::size_t>(preRoll) + kWindow) / scale_ + reach_ + kStep + 2 * History::kBlock) *
          sizeof(std::int16_t)) {}

void Recording::append(const std::int16_t* samples, std::size_t count) { audio_.append(samples, count); }

void Recording::appendSilence(std::size_t count) { audio_.appendSilence(count); }

std::vector<std::int16_t> Recording::copy(std::int64_t first, std::int64_t last, const std::int16_t* next,
                                          std::size_t count, const Kernels& kernels) const {
  std::vector<std::int16_t> pcm(static_cast<std::size_t>(last - first));
  copyTo(first, last, next, count, kernels, pcm.data());
  return pcm;
}

void Recording::copyTo(std::int64_t first, std::int64_t last, const std::int16_t* next, std::size_t count,
                       const Kernels& kernels, std::int16_t* out) const {
  const auto wanted = static_cast<std::size_t>(last - first);
  std::size_t done = 0;
  // Number of samples at 16 kHz that are computed and skipped, because the filter must start before `first`.
  std::size_t lead = 0;
  std::optional<Resampler> resampler;
  if (table_) resampler.emplace(kRate / static_cast<std::uint32_t>(scale_));
  const auto take = [&](const std::int16_t* samples, std::size_t length) {
    const std::size_t skipped = std::min(lead, length);
    lead -= skipped;
    const std::size_t part = std::min(length - skipped, wanted - done);
    // `copy_n` accepts a null pointer to no samples. `memcpy` does not.
    std::copy_n(samples + skipped, part, out + done);
    done += part;
  };
  const auto feed = [&](const std::int16_t* samples, std::size_t length) {
    if (!resampler) {
      take(samples, length);
      return;
    }
    std::int16_t chunk[Resampler::kMaxOutput];
    for (std::size_t at = 0; at < length && done < wanted; at += Resampler::kMaxInput) {
      const std::size_t part = std::min(length - at, Resampler::kMaxInput);
      take(chunk, resampler->process(samples + at, part, chunk, kernels));
    }
  };

  const std::int64_t from = std::max(start_, first / static_cast<std::int64_t>(scale_) - signedOf(reach_));
  lead = static_cast<std::size_t>(first - from * static_cast<std::int64_t>(scale_));
  for (auto at = static_cast<std::size_t>(from - start_); at < audio_.size() && done < wanted;) {
    const History::Piece piece = audio_.from(at);
    feed(piece.samples, piece.count);
    at += piece.count;
  }
  feed(next, count);
  const std::int16_t silence[kWindow] = {};
  while (done < wanted) feed(silence, kWindow);
}

void Recording::forget(std::int64_t from) {
  const std::int64_t needed = from / static_cast<std::int64_t>(scale_) - signedOf(reach_);
  if (needed - start_ < signedOf(kStep)) return;
  audio_.drop(static_cast<std::size_t>(needed - start_));
  start_ = needed;
}

std::size_t Recording::idleBytes() const { return std::min(audio_.bytes(), idleLimit_); }

std::size_t Recording::speechBytes() const { return audio_.bytes() - idleBytes(); }

}  // namespace cochlea
