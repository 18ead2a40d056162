#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "vad/silero.h"

namespace cochlea {

/// Audio of a stream after a rest, which is decoded before its windows are due. The detector's state
/// remembers the sound of up to a minute. The decoded audio stands for the sound that was skipped, so several
/// windows must be known before the first one is decided.
class Ahead {
 public:
  /// Number of windows that are decoded ahead: 640 ms. They are the part of the held audio before an onset.
  static constexpr std::size_t kWindows = 20;
  /// Maximum number of skipped windows for which the state is advanced: 49 s, which takes 4 ms. Further ones
  /// hardly change an onset.
  static constexpr std::size_t kMaxSkipped = 1536;

  /// Begins with no audio. @param skipped number of windows that the detector has not processed
  void begin(std::size_t skipped);

  /// Whether there is too little audio.
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
  /// Results of all windows. Empty until the first one is asked for.
  std::vector<float> probabilities_;
  std::size_t skipped_ = 0;
  std::size_t taken_ = 0;
  std::size_t decided_ = 0;
};

}  // namespace cochlea
