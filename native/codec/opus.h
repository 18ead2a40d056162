#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "codec/frame-decoder.h"

struct OpusDecoder;

namespace cochlea {

/// Opus decoded to mono 16 kHz. libopus resamples and mixes packets of any rate and channel count.
class OpusStream : public FrameDecoder {
 public:
  /// Samples of the longest legal packet, 120 ms. Packets may be longer than the negotiated frame.
  static constexpr std::size_t kMaxPacketSamples = 1920;

  /// @returns samples a packet lasts at 16 kHz, or 0 when it is not a legal packet
  static std::size_t packetSamples(const std::uint8_t* packet, std::size_t length);

  static const char* version();

  /// @returns false when libopus reports an error
  bool init();

  std::uint32_t rate() const override;
  std::uint32_t unitRate() const override { return rate(); }
  std::size_t duration(const std::uint8_t* packet, std::size_t length) const override;
  Result decode(const std::uint8_t* packet, std::size_t length, std::int16_t* out) override;
  /// In steps of 2.5 ms, at most 20 ms at a time.
  std::size_t conceal(std::int16_t* out, std::size_t samples) override;
  /// In-band forward error correction: a packet may carry a coarser copy of the frame before it.
  std::size_t restorable(const std::uint8_t* packet, std::size_t length) const override;
  std::size_t restore(const std::uint8_t* packet, std::size_t length, std::int16_t* out,
                      std::size_t samples) override;
  std::size_t bytes() const override { return sizeof *this + memory_.capacity() * sizeof(memory_[0]); }

 private:
  OpusDecoder* decoder();

  /// Memory of the decoder, owned here so that its size is known and it need not be destroyed. In words for
  /// alignment.
  std::vector<std::uint64_t> memory_;
};

}  // namespace cochlea
