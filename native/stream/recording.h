#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernel/kernels.h"
#include "resample/resampler.h"
#include "stream/history.h"

namespace cochlea {

/// The audio of a stream that an utterance may still need. It is stored at the rate of the detector's model
/// and returned at 16 kHz. Positions are samples at 16 kHz since the stream opened.
class Recording {
 public:
  /// @param rate rate of the stored audio: 16,000 or 8,000 Hz
  /// @param preRoll number of samples at 16 kHz that an idle stream stores
  Recording(std::uint32_t rate, std::int64_t preRoll);

  /// Appends samples. @param samples at the rate of the recording
  void append(const std::int16_t* samples, std::size_t count);
  void appendSilence(std::size_t count);

  /// Returns a copy at 16 kHz of the samples from `first` up to `last`. Positions before the first and
  /// after the last sample are filled with silence.
  /// @param first must not precede the stored audio
  /// @param next `count` samples that follow the last appended sample
  std::vector<std::int16_t> copy(std::int64_t first, std::int64_t last, const std::int16_t* next,
                                 std::size_t count, const Kernels& kernels) const;

  /// Copies like `copy`, but into memory of the caller.
  /// @param out space for `last - first` samples
  void copyTo(std::int64_t first, std::int64_t last, const std::int16_t* next, std::size_t count,
              const Kernels& kernels, std::int16_t* out) const;

  /// Returns the number of samples at 16 kHz that must follow a range to make its last samples exact,
  /// because the filter looks ahead.
  std::int64_t lookahead() const { return static_cast<std::int64_t>(reach_ * scale_); }

  /// Frees samples before `from`. It frees many samples at a time, so some may stay until a later call.
  void forget(std::int64_t from);

  /// Number of bytes of memory. `idleBytes` counts them up to the limit of an idle stream, `speechBytes`
  /// counts the rest.
  std::size_t idleBytes() const;
  std::size_t speechBytes() const;

 private:
  /// Duration of one stored sample, in samples at 16 kHz.
  std::size_t scale_;
  /// Filter to 16 kHz; null if the audio is stored at 16 kHz. `reach_` is the number of samples that the
  /// filter needs on either side.
  std::shared_ptr<const ResampleTable> table_;
  std::size_t reach_;
  /// Maximum number of bytes of an idle stream.
  std::size_t idleLimit_;
  History audio_;
  /// Position of the first sample of `audio_`, counted at the rate of the recording.
  std::int64_t start_ = 0;
};

}  // namespace cochlea
