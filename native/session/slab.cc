#include "session/slab.h"

#include <cstring>

namespace cochlea {
namespace {

struct Header {
  std::uint32_t length;
  std::uint32_t units;
};

/// An empty slab keeps this much for the next frames; more is given back.
constexpr std::size_t kKeep = 8192;

}  // namespace

Slab::Loss Slab::push(const std::uint8_t* bytes, std::size_t length, std::size_t units) {
  Loss loss;
  while (frames_ > 0 && (units_ + units > maxUnits_ || data_.size() - head_ + length > maxBytes_)) {
    const Frame oldest = front();
    ++loss.frames;
    loss.units += oldest.units;
    loss.bytes += oldest.length;
    pop();
  }
  // Moved down before it would grow, and only when that halves it, so that moving costs less than what was pushed.
  if (head_ > data_.size() / 2 && data_.size() + sizeof(Header) + length > data_.capacity()) {
    data_.erase(data_.begin(), data_.begin() + static_cast<std::ptrdiff_t>(head_));
    head_ = 0;
  }
  const Header header{static_cast<std::uint32_t>(length), static_cast<std::uint32_t>(units)};
  const std::size_t at = data_.size();
  data_.resize(at + sizeof(Header) + length);
  std::memcpy(data_.data() + at, &header, sizeof header);
  if (length > 0) std::memcpy(data_.data() + at + sizeof header, bytes, length);
  ++frames_;
  units_ += units;
  return loss;
}

Slab::Frame Slab::front() const {
  Header header;
  std::memcpy(&header, data_.data() + head_, sizeof header);
  return {data_.data() + head_ + sizeof header + taken_, header.length - taken_, header.units - takenUnits_};
}

void Slab::consume(std::size_t bytes, std::size_t units) {
  const Frame oldest = front();
  if (bytes >= oldest.length) {
    pop();
    return;
  }
  taken_ += bytes;
  takenUnits_ += units;
  units_ -= units;
}

void Slab::pop() {
  const Frame oldest = front();
  units_ -= oldest.units;
  head_ += sizeof(Header) + taken_ + oldest.length;
  taken_ = 0;
  takenUnits_ = 0;
  if (--frames_ > 0) return;
  head_ = 0;
  if (data_.capacity() > kKeep) {
    std::vector<std::uint8_t>().swap(data_);
  } else {
    data_.clear();
  }
}

}  // namespace cochlea
