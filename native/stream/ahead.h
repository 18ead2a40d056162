#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "vad/silero.h"

namespace cochlea {

/// The first audio of a stream after it has rested (see `Stream::resting`). Several of its windows are
/// decoded before the first of them is decided. The detector's state remembers the sound of up to a minute,
/// but the frames were skipped while the stream rested. The decoded windows stand for the skipped sound.
class Ahead {
 public:
  /// Number of windows that are decoded ahead: 640 ms. They are the part of the held audio (see
  /// Stream::kHold) before the onset that woke the stream.
  static constexpr std::size_t kWindows = 20;
  /// Maximum number of skipped windows for which the detector's state is advanced: 49 s of audio, which take
  /// 4 ms to compute. Further windows hardly change the result at an onset.
  static constexpr std::size_t kMaxSkipped = 1536;

  /// Begins with no audio. @param skipped number of windows that the detector has not processed
  void begin(std::size_t skipped);

  /// Whether fewer than `kWindows` windows were appended.
  bool wants() const { return samples_.size() < kWindows * kWindow; }

  void append(const std::int16_t* samples, std::size_t count);

  /// Returns the number of samples that `take` has not returned.
  std::size_t left() const { return samples_.size() - taken_; }

  /// Moves the next samples to `out`. @returns their number, at most `most`
  std::size_t take(std::int16_t* out, std::size_t most);

  /// Returns the detector's result for the next undecided window, if that window is part of this audio.
  std::optional<float> probability(Silero& silero, VadState& state);

  /// Records that a window was decided.
  void pass();

  /// Whether all windows are decided.
  bool done() const { return samples_.empty(); }

  /// Returns the number of bytes of memory.
  std::size_t bytes() const {
    return samples_.capacity() * sizeof(std::int16_t) + probabilities_.capacity() * sizeof(float);
  }

 private:
  std::size_t windows() const { return samples_.size() / kWindow; }
  void freeIfDone();

  std::vector<std::int16_t> samples_;
  /// The detector's results for all windows. Empty before the first call of `probability`.
  std::vector<float> probabilities_;
  std::size_t skipped_ = 0;
  std::size_t taken_ = 0;
  std::size_t decided_ = 0;
};

}  // namespace cochlea
