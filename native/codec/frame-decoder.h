#pragma once

#include <cstddef>
#include <cstdint>

namespace cochlea {

/// Decoder of one stream whose messages are single coded frames. What comes out is mono.
class FrameDecoder {
 public:
  /// Most samples one frame decodes to: two AAC frames' worth, by spectral band replication.
  static constexpr std::size_t kMaxSamples = 2048;
  /// Most samples one frame may last at 16 kHz: an AAC frame at its lowest rate.
  static constexpr std::size_t kMaxAt16k = 2240;

  struct Result {
    /// Written; 0 for a valid frame means that the decoder is still priming.
    std::size_t samples;
    /// False for a frame that does not decode, even where a concealed one stands in for it.
    bool valid;
  };

  virtual ~FrameDecoder() = default;

  /// Hz of the samples that come out. May change with a decoded frame.
  virtual std::uint32_t rate() const = 0;

  /// Units per second in which `duration` counts: a whole multiple of every `rate`.
  virtual std::uint32_t unitRate() const = 0;

  /// @returns how long a frame lasts, in units, or 0 when it cannot be a frame of this codec
  virtual std::size_t duration(const std::uint8_t* frame, std::size_t length) const = 0;

  /// @param out room for `kMaxSamples`
  virtual Result decode(const std::uint8_t* frame, std::size_t length, std::int16_t* out) = 0;

  /// Makes up for lost audio.
  /// @param out room for `kMaxSamples`
  /// @param samples wanted, at most `kMaxSamples`
  /// @returns samples written, fewer than `samples` where the codec conceals in steps, 0 when it cannot
  virtual std::size_t conceal(std::int16_t* out, std::size_t samples) = 0;

  /// How much of a loss the frame after it can restore, in units: what it carries of the frame before it.
  virtual std::size_t restorable(const std::uint8_t*, std::size_t) const { return 0; }

  /// Restores the loss in front of a frame, which is itself to be decoded next.
  /// @param samples what `restorable` said, in samples
  /// @returns samples written, 0 when nothing could be restored
  virtual std::size_t restore(const std::uint8_t*, std::size_t, std::int16_t*, std::size_t) { return 0; }

  /// Bytes held, as far as they are known.
  virtual std::size_t bytes() const = 0;
};

}  // namespace cochlea
