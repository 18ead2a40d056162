#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernel/kernels.h"
#include "resample/resampler.h"
#include "stream/history.h"

namespace cochlea {

/// What an utterance may still need of a stream's audio. It is kept at the rate at which the detector takes it and handed out at
/// 16 kHz. Positions are samples at 16 kHz since the stream opened.
class Recording {
 public:
  /// @param rate of what is kept: 16,000 or 8,000 Hz
  /// @param preRoll samples at 16 kHz that an idle stream keeps
  Recording(std::uint32_t rate, std::int64_t preRoll);

  /// @param samples at the rate of the recording
  void append(const std::int16_t* samples, std::size_t count);
  void appendSilence(std::size_t count);

  /// A copy at 16 kHz. What is before or behind all audio counts as silence.
  /// @param first not before what was forgotten
  /// @param next samples that follow the last one appended, `count` of them
  std::vector<std::int16_t> copy(std::int64_t first, std::int64_t last, const std::int16_t* next, std::size_t count,
                                 const Kernels& kernels) const;

  /// Forgets what lies before `from`, in steps.
  void forget(std::int64_t from);

  /// Held for an idle stream, and above that for speech.
  std::size_t idleBytes() const;
  std::size_t speechBytes() const;

 private:
  /// Samples at 16 kHz that one kept sample lasts.
  std::size_t scale_;
  /// Filter to 16 kHz, where one is needed; and how far to either side of a sample it looks.
  std::shared_ptr<const ResampleTable> table_;
  std::size_t reach_;
  /// Most bytes that an idle stream holds.
  std::size_t idleLimit_;
  History audio_;
  /// Kept samples before the first of `audio_`.
  std::int64_t start_ = 0;
};

}  // namespace cochlea
