#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "codec/frame-decoder.h"

namespace cochlea {

/// Fields of the header of an ADTS frame (ISO/IEC 14496-3, 1.A.2.2).
struct AdtsHeader {
  std::uint32_t rate;
  /// Coded channel configuration. 0 means that the frame itself defines the channels.
  unsigned channels;

  /// Reads the header of a frame. @returns false unless `frame` is one complete ADTS frame with a single
  /// block
  static bool parse(const std::uint8_t* frame, std::size_t length, AdtsHeader* header);
};

/// Decodes AAC in ADTS frames with libavcodec. The library is opened at run time and never linked, because
/// Debian builds it under the GPL. An engine without the library supports every other codec.
class AacStream : public FrameDecoder {
 public:
  /// Least common multiple of 16 kHz and all rates of ADTS headers. With this unit, all durations are whole
  /// numbers.
  static constexpr std::uint32_t kUnitRate = 28224000;
  static constexpr std::size_t kFrameSamples = 1024;

  /// Returns the version of libavcodec, or nullptr if it cannot be opened. Any thread may call this
  /// function.
  static const char* version();

  /// Creates a stream. @returns nullptr if libavcodec is missing or has no AAC decoder
  static std::unique_ptr<AacStream> make();

  ~AacStream() override;

  /// Rate of the decoded samples. It is 16 kHz before the first decoded frame.
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
