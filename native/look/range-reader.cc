#include "look/range-reader.h"

#include <algorithm>

namespace cochlea {
namespace {

constexpr std::uint32_t kTop = 1u << 31;
constexpr std::uint32_t kBottom = 1u << 23;
constexpr std::uint32_t kLaplaceTotal = 1u << 15;
/// `kLeast`: lowest frequency of a number in the Laplace distribution. `kSure`: how many numbers on each side
/// of 0 have at least this frequency.
constexpr std::uint32_t kLeast = 1;
constexpr std::uint32_t kSure = 16;

}  // namespace

RangeReader::RangeReader(const std::uint8_t* bytes, std::size_t length)
    : bytes_(bytes), length_(length), range_(1u << 7), last_(byte()), read_(9) {
  value_ = range_ - 1 - (last_ >> 1);
  normalize();
}

void RangeReader::normalize() {
  while (range_ <= kBottom) {
    read_ += 8;
    range_ <<= 8;
    const unsigned next = byte();
    const unsigned bits = (last_ << 8 | next) >> 1;
    last_ = next;
    value_ = ((value_ << 8) + (0xff & ~bits)) & (kTop - 1);
  }
}

std::size_t RangeReader::position() const {
  unsigned bits = 0;
  for (std::uint32_t range = range_; range > 0; range >>= 1) ++bits;
  return read_ - bits;
}

bool RangeReader::bit(unsigned log) {
  const std::uint32_t part = range_ >> log;
  const bool one = value_ < part;
  if (!one) value_ -= part;
  range_ = one ? part : range_ - part;
  normalize();
  return one;
}

unsigned RangeReader::symbol(const std::uint8_t* inverse, unsigned bits) {
  const std::uint32_t step = range_ >> bits;
  std::uint32_t above = range_;
  unsigned found = 0;
  std::uint32_t below = step * inverse[0];
  while (value_ < below) {
    above = below;
    below = step * inverse[++found];
  }
  value_ -= below;
  range_ = above - below;
  normalize();
  return found;
}

unsigned RangeReader::find(std::uint32_t total) {
  step_ = range_ / total;
  return total - std::min(value_ / step_ + 1, total);
}

void RangeReader::take(std::uint32_t low, std::uint32_t high, std::uint32_t total) {
  const std::uint32_t below = step_ * (total - high);
  value_ -= below;
  range_ = low > 0 ? step_ * (high - low) : range_ - below;
  normalize();
}

unsigned RangeReader::uniform(unsigned count) {
  const unsigned found = find(count);
  take(found, found + 1, count);
  return found;
}

int RangeReader::laplace(unsigned zero, unsigned decay) {
  const std::uint32_t target = find(kLaplaceTotal);
  std::uint32_t low = 0;
  std::uint32_t width = zero;
  int number = 0;
  if (target >= zero) {
    number = 1;
    low = zero;
    width = ((kLaplaceTotal - 2 * kSure * kLeast - zero) * (16384 - decay) >> 15) + kLeast;
    // Each number from 1 on stands for two values with the same frequency: first the negative value, then the
    // positive one.
    while (width > kLeast && target >= low + 2 * width) {
      low += 2 * width;
      width = ((2 * width - 2 * kLeast) * decay >> 15) + kLeast;
      ++number;
    }
    if (width <= kLeast) {
      const std::uint32_t further = (target - low) / (2 * kLeast);
      number += static_cast<int>(further);
      low += 2 * further * kLeast;
    }
    if (target < low + width) {
      number = -number;
    } else {
      low += width;
    }
  }
  take(low, std::min(low + width, kLaplaceTotal), kLaplaceTotal);
  return number;
}

}  // namespace cochlea
