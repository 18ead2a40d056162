#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "codec/frame-decoder.h"

namespace cochlea {

/// Decodes LC3 frames of 10 ms. A message contains one frame for each channel, and its frames have equal
/// lengths. The channels are mixed to their mean. If the build has no liblc3, streams cannot be created.
class Lc3Stream : public FrameDecoder {
 public:
  /// Minimum and maximum number of bytes in the frame of one channel.
  static constexpr std::size_t kMinFrame = 20;
  static constexpr std::size_t kMaxFrame = 400;

  /// Returns the version of liblc3, or nullptr if the build does not contain liblc3.
  static const char* version();

  /// @param rate 8000, 16000, 24000, 32000 or 48000 Hz
  /// @param channels 1 or 2
  /// @param frameBytes length of one channel's frame, or 0 if the length of each message determines it
  /// @returns nullptr if the build does not contain liblc3, or if liblc3 does not support the rate
  static std::unique_ptr<Lc3Stream> make(std::uint32_t rate, unsigned channels, std::size_t frameBytes);

  std::uint32_t rate() const override { return rate_; }
  std::uint32_t unitRate() const override { return rate_; }
  std::size_t duration(const std::uint8_t* frame, std::size_t length) const override;
  Result decode(const std::uint8_t* frame, std::size_t length, std::int16_t* out) override;
  std::size_t conceal(std::int16_t* out, std::size_t samples) override;
  std::size_t bytes() const override { return sizeof *this + memory_.capacity() * sizeof(memory_[0]); }

 private:
  Lc3Stream(std::uint32_t rate, unsigned channels, std::size_t frameBytes);

  std::size_t frameSamples() const { return rate_ / 100; }
  void* decoder(unsigned channel) { return memory_.data() + channel * decoderWords_; }
  /// Decodes the frames of all channels. @param frame nullptr to conceal a lost frame
  bool run(const std::uint8_t* frame, std::size_t length, std::int16_t* out);

  std::uint32_t rate_;
  unsigned channels_;
  std::size_t frameBytes_;
  std::size_t decoderWords_ = 0;
  /// Memory of the decoders of all channels, one after the other. liblc3 requires the caller to provide it.
  /// Elements of 64 bits align the memory.
  std::vector<std::uint64_t> memory_;
};

}  // namespace cochlea
