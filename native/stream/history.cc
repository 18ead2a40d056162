#include "stream/history.h"

#include <algorithm>
#include <cstring>

namespace cochlea {

std::int16_t* History::space(std::size_t& count) {
  const std::size_t end = head_ + size_;
  // The new block is not initialised, because every sample is written before it is read.
  if (end == blocks_.size() * kBlock) blocks_.emplace_back(new std::int16_t[kBlock]);
  count = std::min(count, blocks_.size() * kBlock - end);
  size_ += count;
  return blocks_.back().get() + end % kBlock;
}

void History::append(const std::int16_t* samples, std::size_t count) {
  while (count > 0) {
    std::size_t part = count;
    std::int16_t* to = space(part);
    std::memcpy(to, samples, part * sizeof(std::int16_t));
    samples += part;
    count -= part;
  }
}

void History::appendSilence(std::size_t count) {
  while (count > 0) {
    std::size_t part = count;
    std::int16_t* to = space(part);
    std::memset(to, 0, part * sizeof(std::int16_t));
    count -= part;
  }
}

void History::drop(std::size_t count) {
  head_ += count;
  size_ -= count;
  const std::size_t whole = head_ / kBlock;
  if (whole == 0) return;
  blocks_.erase(blocks_.begin(), blocks_.begin() + static_cast<std::ptrdiff_t>(whole));
  head_ -= whole * kBlock;
}

History::Piece History::from(std::size_t index) const {
  const std::size_t at = head_ + index;
  return {blocks_[at / kBlock].get() + at % kBlock, std::min(size_ - index, kBlock - at % kBlock)};
}

}  // namespace cochlea
