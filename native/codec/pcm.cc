#include "codec/pcm.h"

#include <algorithm>
#include <cstring>

namespace cochlea {

PcmDecoder::PcmDecoder(bool wide, unsigned channels)
    : wide_(wide), channels_(channels), frameBytes_((wide ? std::size_t{2} : 1) * channels) {}

std::int16_t PcmDecoder::sample(const std::uint8_t* frame) const {
  std::int32_t sum = 0;
  for (unsigned c = 0; c < channels_; ++c) {
    const unsigned at = 2 * c;
    sum += wide_ ? static_cast<std::int16_t>(unsigned{frame[at]} | unsigned{frame[at + 1]} << 8)
                 : (frame[c] - 128) * 256;
  }
  // The arithmetic shift rounds down, as in the portable core.
  // NOLINTNEXTLINE(bugprone-signed-bitwise): a division would round towards zero.
  return static_cast<std::int16_t>(channels_ == 2 ? sum >> 1 : sum);
}

std::size_t PcmDecoder::decode(const std::uint8_t* bytes, std::size_t length, std::int16_t* out,
                               std::size_t capacity, std::size_t* consumed) {
  std::size_t at = std::min(discard_, length);
  discard_ -= at;
  std::size_t written = 0;
  if (carried_ > 0 && at < length) {
    const std::size_t missing = std::min(frameBytes_ - carried_, length - at);
    if (carried_ + missing == frameBytes_ && capacity == 0) {
      *consumed = at;
      return 0;
    }
    std::memcpy(carry_ + carried_, bytes + at, missing);
    carried_ += missing;
    at += missing;
    if (carried_ == frameBytes_) {
      out[written++] = sample(carry_);
      carried_ = 0;
    }
  }
  while (written < capacity && length - at >= frameBytes_) {
    out[written++] = sample(bytes + at);
    at += frameBytes_;
  }
  if (length - at < frameBytes_ && at < length) {
    carried_ = length - at;
    std::memcpy(carry_, bytes + at, carried_);
    at = length;
  }
  *consumed = at;
  return written;
}

void PcmDecoder::skip(std::size_t bytes) {
  // Some of the lost bytes may be bytes that the decoder would have discarded anyway.
  const std::size_t covered = std::min(discard_, bytes);
  discard_ -= covered;
  const std::size_t into = (carried_ + bytes - covered) % frameBytes_;
  carried_ = 0;
  discard_ += into == 0 ? 0 : frameBytes_ - into;
}

}  // namespace cochlea
