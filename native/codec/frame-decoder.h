#pragma once

#include <cstddef>
#include <cstdint>

namespace cochlea {

/// Decodes one stream of coded frames. Each message contains one frame. The decoded samples are mono.
class FrameDecoder {
 public:
  /// Maximum number of samples of a decoded frame. An AAC frame with spectral band replication has this
  /// number, because band replication doubles its samples.
  static constexpr std::size_t kMaxSamples = 2048;
  /// Maximum duration of a frame, in samples at 16 kHz. An AAC frame at the lowest rate of AAC has this
  /// duration.
  static constexpr std::size_t kMaxAt16k = 2240;

  struct Result {
    /// Number of samples written. For a valid frame it is 0 if the decoder needs further frames before it
    /// returns samples.
    std::size_t samples;
    /// False if the frame could not be decoded, even if the decoder wrote samples that conceal the loss.
    bool valid;
  };

  virtual ~FrameDecoder() = default;

  /// Rate of the decoded samples in Hz. It may change with each decoded frame.
  virtual std::uint32_t rate() const = 0;

  /// Number of units per second in which `duration` counts. It is a whole multiple of every possible `rate`.
  virtual std::uint32_t unitRate() const = 0;

  /// Returns the duration of a frame in units. @returns 0 if the bytes cannot be a frame of this codec
  virtual std::size_t duration(const std::uint8_t* frame, std::size_t length) const = 0;

  /// Decodes a frame. @param out space for `kMaxSamples` samples
  virtual Result decode(const std::uint8_t* frame, std::size_t length, std::int16_t* out) = 0;

  /// Generates samples in place of lost audio.
  /// @param out space for `kMaxSamples` samples
  /// @param samples requested number of samples, at most `kMaxSamples`
  /// @returns number of samples written: fewer than requested if the codec conceals in steps, 0 if it cannot
  ///   conceal
  virtual std::size_t conceal(std::int16_t* out, std::size_t samples) = 0;

  /// Some frames contain a copy of the previous frame. Returns how much of the lost audio directly before a
  /// frame can be restored from the copy in this frame, in units.
  virtual std::size_t restorable(const std::uint8_t*, std::size_t) const { return 0; }

  /// Restores lost audio directly before a frame. The next call must decode the frame itself.
  /// @param samples the result of `restorable`, converted to samples
  /// @returns number of samples written; 0 if nothing could be restored
  virtual std::size_t restore(const std::uint8_t*, std::size_t, std::int16_t*, std::size_t) { return 0; }

  /// Frees the decoder's state. The next frame is decoded like the first frame of a stream. Only codecs for
  /// which such a new start sounds well implement this function.
  virtual void rest() {}

  /// Number of bytes of memory that the decoder holds. Memory of unknown size is not included.
  virtual std::size_t bytes() const = 0;
};

}  // namespace cochlea
