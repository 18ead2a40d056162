#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "codec/frame-decoder.h"

namespace cochlea {

/// Fields of the header of an ADTS frame (ISO/IEC 14496-3, 1.A.2.2).
struct AdtsHeader {
  std::uint32_t rate;
  /// The coded value; 0 means that the frame itself defines the channels.
  unsigned channels;

  /// @returns false unless `frame` is one complete ADTS frame of one block
  static bool parse(const std::uint8_t* frame, std::size_t length, AdtsHeader* header);
};

/// AAC in ADTS frames, decoded by libavcodec. The library is opened at run time and never linked, because
/// Debian builds it under the GPL. An engine without it supports every other codec.
class AacStream : public FrameDecoder {
 public:
  /// A common multiple of 16 kHz and of every rate an ADTS header can name, so that durations are whole
  /// numbers.
  static constexpr std::uint32_t kUnitRate = 28224000;
  static constexpr std::size_t kFrameSamples = 1024;

  /// Version of libavcodec, or nullptr when it cannot be opened. Safe from any thread.
  static const char* version();

  /// @returns nullptr when there is no libavcodec or it has no AAC decoder
  static std::unique_ptr<AacStream> make();

  ~AacStream() override;

  /// Until a frame has been decoded, 16 kHz.
  std::uint32_t rate() const override { return rate_; }
  std::uint32_t unitRate() const override { return kUnitRate; }
  std::size_t duration(const std::uint8_t* frame, std::size_t length) const override;
  Result decode(const std::uint8_t* frame, std::size_t length, std::int16_t* out) override;
  std::size_t conceal(std::int16_t*, std::size_t) override { return 0; }
  std::size_t bytes() const override;

 private:
  AacStream() = default;

  std::uint32_t rate_ = 16000;
  void* context_ = nullptr;
  void* packet_ = nullptr;
  void* frame_ = nullptr;
};

}  // namespace cochlea
