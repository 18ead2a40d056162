#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "codec/frame-decoder.h"

struct OpusDecoder;

namespace cochlea {

/// Decodes Opus to mono at 16 kHz. libopus itself resamples packets of any rate and mixes packets of any
/// channel count.
class OpusStream : public FrameDecoder {
 public:
  /// Number of samples of the longest legal packet: 120 ms. A packet may be longer than the frame length that
  /// the client declared.
  static constexpr std::size_t kMaxPacketSamples = 1920;

  /// Returns the duration of a packet in samples at 16 kHz. @returns 0 if the bytes are not a legal packet
  static std::size_t packetSamples(const std::uint8_t* packet, std::size_t length);

  static const char* version();

  /// Creates the decoder. @returns false if libopus reports an error
  bool init();

  std::uint32_t rate() const override;
  std::uint32_t unitRate() const override { return rate(); }
  std::size_t duration(const std::uint8_t* packet, std::size_t length) const override;
  Result decode(const std::uint8_t* packet, std::size_t length, std::int16_t* out) override;
  /// Conceals at most 20 ms per call, in steps of 2.5 ms.
  std::size_t conceal(std::int16_t* out, std::size_t samples) override;
  /// Returns the length of the copy of the previous frame in this packet (in-band forward error correction).
  /// The copy is coarser than the original.
  std::size_t restorable(const std::uint8_t* packet, std::size_t length) const override;
  std::size_t restore(const std::uint8_t* packet, std::size_t length, std::int16_t* out,
                      std::size_t samples) override;
  void rest() override { std::vector<std::uint64_t>().swap(memory_); }
  std::size_t bytes() const override { return sizeof *this + memory_.capacity() * sizeof(memory_[0]); }

 private:
  /// Returns the decoder. Creates it again if `rest` has freed it.
  OpusDecoder* decoder();

  /// Memory of the decoder. Because this object owns it, its size is known and no destructor is needed.
  /// Elements of 64 bits align the memory.
  std::vector<std::uint64_t> memory_;
};

}  // namespace cochlea
