#include "stream/ahead.h"

#include <algorithm>

namespace cochlea {

void Ahead::begin(std::size_t skipped) {
  *this = {};
  skipped_ = std::min(skipped, kMaxSkipped);
}

void Ahead::append(const std::int16_t* samples, std::size_t count) {
  samples_.insert(samples_.end(), samples, samples + count);
}

std::size_t Ahead::take(std::int16_t* out, std::size_t most) {
  const std::size_t count = std::min(most, left());
  std::copy_n(samples_.begin() + static_cast<std::ptrdiff_t>(taken_), count, out);
  taken_ += count;
  freeIfDone();
  return count;
}

std::optional<float> Ahead::probability(Silero& silero, VadState& state) {
  if (decided_ >= windows()) return std::nullopt;
  if (probabilities_.empty()) {
    probabilities_.resize(windows());
    silero.settle(state, samples_.data(), windows(), skipped_, probabilities_.data());
  }
  return probabilities_[decided_];
}

void Ahead::pass() {
  if (done()) return;
  ++decided_;
  freeIfDone();
}

void Ahead::freeIfDone() {
  if (left() == 0 && decided_ >= windows()) *this = {};
}

}  // namespace cochlea
