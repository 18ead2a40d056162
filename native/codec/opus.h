#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

struct OpusDecoder;

namespace cochlea {

/// Opus to mono 16 kHz, whatever rate and channel count the packet was coded with: libopus resamples and down-mixes.
class OpusStream {
 public:
  /// Samples of the longest legal packet, 120 ms. A buffer sized for the negotiated frame would lose longer ones.
  static constexpr std::size_t kMaxSamples = 1920;

  /// @returns samples a packet lasts at 16 kHz, or 0 when it is not a legal packet
  static std::size_t duration(const std::uint8_t* packet, std::size_t length);

  static const char* version();

  /// @returns false when libopus refuses
  bool init();

  /// @param out room for `kMaxSamples`
  /// @returns samples written, 0 when the packet does not decode
  std::size_t decode(const std::uint8_t* packet, std::size_t length, std::int16_t* out);

  /// Conceals a loss.
  /// @param samples a multiple of 40 (2.5 ms), at most `kMaxSamples`
  /// @returns samples written, 0 when there is nothing to conceal from
  std::size_t conceal(std::int16_t* out, std::size_t samples);

  std::size_t bytes() const { return memory_.capacity() * sizeof(memory_[0]); }

 private:
  OpusDecoder* decoder();

  /// The decoder lives in memory we own, so that its size is known and it needs no destroy. Words, for alignment.
  std::vector<std::uint64_t> memory_;
};

}  // namespace cochlea
