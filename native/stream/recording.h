#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernel/kernels.h"
#include "resample/resampler.h"
#include "stream/history.h"

namespace cochlea {

/// What an utterance may still need of a stream's audio. It is kept at the rate at which the detector takes
/// it and handed out at 16 kHz. Positions are samples at 16 kHz since the stream opened.
class Recording {
 public:
  /// @param rate of what is kept: 16,000 or 8,000 Hz
  /// @param preRoll samples at 16 kHz that an idle stream keeps
  Recording(std::uint32_t rate, std::int64_t preRoll);

  /// @param samples at the rate of the recording
  void append(const std::int16_t* samples, std::size_t count);
  void appendSilence(std::size_t count);

  /// Returns a copy at 16 kHz. Positions before the first and after the last sample are filled with silence.
  /// @param first not before what was forgotten
  /// @param next samples that follow the last one appended, `count` of them
  std::vector<std::int16_t> copy(std::int64_t first, std::int64_t last, const std::int16_t* next,
                                 std::size_t count, const Kernels& kernels) const;

  /// As `copy`, into memory of the caller.
  /// @param out space for `last - first` samples
  void copyTo(std::int64_t first, std::int64_t last, const std::int16_t* next, std::size_t count,
              const Kernels& kernels, std::int16_t* out) const;

  /// Samples at 16 kHz that have to follow a range for its last samples to be exact: what the filter needs.
  std::int64_t lookahead() const { return static_cast<std::int64_t>(reach_ * scale_); }

  /// Frees samples before `from`, several at a time: some of them may be kept until a later call.
  void forget(std::int64_t from);

  /// Bytes of memory: what an idle stream holds, and what is held beyond that for speech.
  std::size_t idleBytes() const;
  std::size_t speechBytes() const;

 private:
  /// Samples at 16 kHz that one kept sample lasts.
  std::size_t scale_;
  /// Filter to 16 kHz, null where the audio is kept at 16 kHz, and the samples on either side that it needs.
  std::shared_ptr<const ResampleTable> table_;
  std::size_t reach_;
  /// Most bytes that an idle stream holds.
  std::size_t idleLimit_;
  History audio_;
  /// Position of the first sample of `audio_`, counted at the rate of the recording.
  std::int64_t start_ = 0;
};

}  // namespace cochlea
