#include "stream/frame-queue.h"

#include <algorithm>
#include <cstring>

namespace cochlea {
namespace {

struct Header {
  std::uint32_t length;
  std::uint32_t units;
  std::uint32_t arrival;
};

/// Maximum number of bytes that an empty frame queue keeps allocated. Further memory is freed.
constexpr std::size_t kKeep = 2048;

}  // namespace

FrameQueue::Loss FrameQueue::push(const std::uint8_t* bytes, std::size_t length, std::size_t units,
                                  std::uint32_t arrival) {
  Loss loss;
  while (frames_ > 0 &&
         (units_ + units > maxUnits_ || data_.size() - head_ + sizeof(Header) + length > maxBytes_)) {
    const Frame oldest = front();
    ++loss.frames;
    loss.units += oldest.units;
    loss.bytes += oldest.length;
    pop();
  }
  makeSpace(sizeof(Header) + length);
  const Header header{static_cast<std::uint32_t>(length), static_cast<std::uint32_t>(units), arrival};
  const std::size_t at = data_.size();
  data_.resize(at + sizeof(Header) + length);
  std::memcpy(data_.data() + at, &header, sizeof header);
  if (length > 0) std::memcpy(data_.data() + at + sizeof header, bytes, length);
  ++frames_;
  units_ += units;
  return loss;
}

void FrameQueue::makeSpace(std::size_t count) {
  if (data_.size() + count <= data_.capacity()) return;
  // If at least half of the block is free at its beginning, the frames are moved there, so that the block
  // need not grow. Moving them costs less than pushing the removed frames did. At the limit the block must
  // not grow, so the frames are always moved.
  if (head_ > data_.size() / 2 || data_.size() + count > maxBytes_) {
    data_.erase(data_.begin(), data_.begin() + static_cast<std::ptrdiff_t>(head_));
    head_ = 0;
  }
  const std::size_t needed = data_.size() + count;
  if (needed <= data_.capacity()) return;
  // The block doubles its size like a vector, up to the limit. Only a single frame may exceed the limit.
  data_.reserve(std::max(needed, std::min(2 * data_.capacity(), maxBytes_)));
}

FrameQueue::Frame FrameQueue::front() const {
  Header header;
  std::memcpy(&header, data_.data() + head_, sizeof header);
  return {data_.data() + head_ + sizeof header + taken_, header.length - taken_, header.units - takenUnits_,
          header.arrival};
}

void FrameQueue::consume(std::size_t bytes, std::size_t units) {
  const Frame oldest = front();
  if (bytes >= oldest.length) {
    pop();
    return;
  }
  taken_ += bytes;
  takenUnits_ += units;
  units_ -= units;
}

void FrameQueue::pop() {
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
