#pragma once

#include <cstddef>
#include <cstdint>

namespace cochlea {

/// Decodes one stream of coded frames, one frame per message. Its samples are mono.
class FrameDecoder {
 public:
  /// Most samples of one decoded frame: an AAC frame with spectral band replication, which doubles its
  /// samples.
  static constexpr std::size_t kMaxSamples = 2048;
  /// Longest duration of a frame in samples at 16 kHz: an AAC frame at its lowest rate.
  static constexpr std::size_t kMaxAt16k = 2240;

  struct Result {
    /// Samples written. 0 for a valid frame means that the decoder is still priming.
    std::size_t samples;
    /// False if the frame does not decode, even if a concealed frame replaces it.
    bool valid;
  };

  virtual ~FrameDecoder() = default;

  /// Rate of the decoded samples in Hz. May change with a decoded frame.
  virtual std::uint32_t rate() const = 0;

  /// Units of `duration` per second: a whole multiple of every `rate`.
  virtual std::uint32_t unitRate() const = 0;

  /// @returns duration of a frame in units, or 0 if it cannot be a frame of this codec
  virtual std::size_t duration(const std::uint8_t* frame, std::size_t length) const = 0;

  /// @param out space for `kMaxSamples`
  virtual Result decode(const std::uint8_t* frame, std::size_t length, std::int16_t* out) = 0;

  /// Generates samples in place of lost audio.
  /// @param out space for `kMaxSamples`
  /// @param samples requested number, at most `kMaxSamples`
  /// @returns samples written: fewer than `samples` if the codec conceals in steps, 0 if it cannot conceal
  virtual std::size_t conceal(std::int16_t* out, std::size_t samples) = 0;

  /// Units of a loss before a frame that this frame can restore, because it carries a copy of the frame
  /// before it.
  virtual std::size_t restorable(const std::uint8_t*, std::size_t) const { return 0; }

  /// Restores the loss before a frame. The frame itself must be decoded next.
  /// @param samples the result of `restorable`, in samples
  /// @returns samples written, 0 if nothing could be restored
  virtual std::size_t restore(const std::uint8_t*, std::size_t, std::int16_t*, std::size_t) { return 0; }

  /// Bytes of memory that the decoder holds, without memory of unknown size.
  virtual std::size_t bytes() const = 0;
};

}  // namespace cochlea
