#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernel/kernels.h"

namespace cochlea {

/// Polyphase windowed-sinc filter from one rate to 16 kHz, with a Kaiser window of 85 dB. Its response is
/// flat up to 7/8 of the lower Nyquist frequency. It blocks the Nyquist frequency and above. (Kaiser,
/// "Nonrecursive digital filter design using the I0-sinh window", 1974.)
struct ResampleTable {
  /// `up` is 16,000 and `down` is the rate, each divided by their greatest common divisor.
  std::uint32_t up;
  std::uint32_t down;
  std::size_t taps;
  /// `rows` contains `phases` + 1 rows of `taps` values.
  std::size_t phases;
  std::vector<float> rows;

  /// Returns the table of a rate. All streams of that rate share it. Any thread may call this function.
  static std::shared_ptr<const ResampleTable> of(std::uint32_t rate);
};

/// Resamples one stream to 16 kHz. Output sample n is the value of the signal at input sample n * rate /
/// 16,000. The filter looks ahead by half its length. Output samples are therefore delayed, but their
/// timestamps are exact.
class Resampler {
 public:
  /// Maximum number of input samples of one `process`.
  static constexpr std::size_t kMaxInput = 480;
  /// Maximum number of output samples of one `process`. 480 samples at 7,350 Hz, the lowest rate of AAC, give
  /// 1,045. The phase may add one more.
  static constexpr std::size_t kMaxOutput = 1046;

  explicit Resampler(std::uint32_t rate);

  /// Resamples the next samples.
  /// @param count at most `kMaxInput`
  /// @param out space for `kMaxOutput` samples
  /// @returns number of samples written
  std::size_t process(const std::int16_t* in, std::size_t count, std::int16_t* out, const Kernels& kernels);

  /// Returns the number of output samples that become available with `inputs` more input samples.
  std::size_t outputsFor(std::size_t inputs) const;

  std::size_t bytes() const { return buffer_.capacity() * sizeof(float); }

 private:
  std::shared_ptr<const ResampleTable> table_;
  std::vector<float> buffer_;
  std::size_t filled_;
  /// `start_`: index in `buffer_` of the first tap of the next output. `phase_`: distance of the output
  /// from that tap, in 1/up of an input sample.
  std::size_t start_ = 0;
  std::uint32_t phase_ = 0;
};

}  // namespace cochlea
