#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace cochlea::fuzz {

/// Splits a fuzzer's input into frames. Two bytes precede each frame: twelve bits of length, low byte
/// first, then four flags. The flags control what the target does with the frame.
class Frames {
 public:
  static constexpr std::size_t kMaxLength = 0xfff;

  Frames(const std::uint8_t* data, std::size_t size) : at_(data), end_(data + size) {}

  /// Reads the next frame. @returns false at the end of the input
  bool next() {
    if (end_ - at_ < 2) return false;
    const std::size_t wanted = at_[0] | (at_[1] & 0x0fu) << 8;
    flags_ = at_[1] >> 4;
    at_ += 2;
    const std::size_t length = std::min(wanted, static_cast<std::size_t>(end_ - at_));
    // The frame is copied into a separate allocation, so that the sanitizer finds a read past its end.
    frame_ = std::vector<std::uint8_t>(at_, at_ + length);
    at_ += length;
    return true;
  }

  const std::uint8_t* data() const { return frame_.data(); }
  std::size_t size() const { return frame_.size(); }
  unsigned flags() const { return flags_; }

 private:
  const std::uint8_t* at_;
  const std::uint8_t* end_;
  std::vector<std::uint8_t> frame_;
  unsigned flags_ = 0;
};

/// Aborts with a finding if `holds` is false.
inline void require(bool holds) {
  if (!holds) __builtin_trap();
}

}  // namespace cochlea::fuzz
