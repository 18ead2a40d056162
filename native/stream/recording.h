#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernel/kernels.h"
#include "resample/resampler.h"
#include "stream/history.h"

namespace cochlea {

/// The audio of a stream that later utterances may contain. It is stored at the rate of the detector's model
/// and returned at 16 kHz. Positions count samples at 16 kHz since the stream opened.
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

  /// Copies as `copy` does, but into the caller's memory.
  /// @param out space for `last - first` samples
  void copyTo(std::int64_t first, std::int64_t last, const std::int16_t* next, std::size_t count,
              const Kernels& kernels, std::int16_t* out) const;

  /// Returns the number of samples at 16 kHz that must follow a range to make its last samples exact,
  /// because the filter looks ahead.
  std::int64_t lookahead() const { return static_cast<std::int64_t>(reach_ * scale_); }

  /// Frees samples before `from`. It frees only large groups of samples, so some samples stay until a later
  /// call.
  void forget(std::int64_t from);

  /// Number of bytes of memory. `idleBytes` counts up to the limit of an idle stream, `speechBytes` counts
  /// all bytes beyond it.
  std::size_t idleBytes() const;
  std::size_t speechBytes() const;

 private:
  /// Duration of one stored sample, in samples at 16 kHz.
  std::size_t scale_;
  /// Filter to 16 kHz; null if the audio is stored at 16 kHz.
  std::shared_ptr<const ResampleTable> table_;
  /// Number of stored samples that the filter reads on either side of a sample.
  std::size_t reach_;
  /// Maximum memory that the audio of an idle stream needs, in bytes.
  std::size_t idleLimit_;
  History audio_;
  /// Position of the first sample of `audio_`, counted at the rate of the recording.
  std::int64_t start_ = 0;
};

}  // namespace cochlea
