#pragma once

#include <cstddef>
#include <cstdint>

namespace cochlea {

/// Reads samples of raw PCM from messages. If a message ends inside a sample, the decoder keeps the
/// incomplete sample for the next message. Stereo is mixed to its mean.
class PcmDecoder {
 public:
  /// @param wide true for signed 16-bit little-endian samples, false for unsigned 8-bit samples with
  /// silence at 0x80
  PcmDecoder(bool wide, unsigned channels);

  std::size_t frameBytes() const { return frameBytes_; }

  /// Number of bytes of an incomplete sample that the decoder keeps.
  std::size_t carried() const { return carried_; }

  /// Takes bytes and writes at most `capacity` mono samples.
  /// @param consumed set to the number of bytes that were taken. It is below `length` only if `capacity`
  /// samples were written
  /// @returns number of samples written
  std::size_t decode(const std::uint8_t* bytes, std::size_t length, std::int16_t* out, std::size_t capacity,
                     std::size_t* consumed);

  /// Records that `bytes` bytes of the stream were lost. If the loss ends inside a sample, the remaining
  /// bytes of that sample are discarded later.
  void skip(std::size_t bytes);

 private:
  std::int16_t sample(const std::uint8_t* frame) const;

  bool wide_;
  unsigned channels_;
  std::size_t frameBytes_;
  std::uint8_t carry_[4] = {};
  std::size_t carried_ = 0;
  std::size_t discard_ = 0;
};

}  // namespace cochlea
