#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "look/look.h"

namespace cochlea {

/// Decides from the looks at a stream's frames whether the stream is surely silent, so that it may rest: its
/// next quiet frames need not be decoded. It learns the levels of the sound around the wearer from frames
/// that the detector has cleared. Sound that rises above these levels in several bands for some 100 ms, or
/// the encoder's own decision about voice, stirs the stream: its frames must be decoded.
class Quiet {
 public:
  /// Processes the look at the next frame. Call it in the order of arrival.
  /// @param samples duration of the frame at 16 kHz
  /// @param decoded whether the detector processes the frame
  void look(const Look& look, std::size_t samples, bool decoded);

  /// Processes a decision of the detector. @param speaking whether speech is open
  void decided(float probability, bool speaking);

  /// Whether the last frames could be speech.
  bool stirs() const { return stirs_; }

  /// Whether the last frames were quiet for so long that the next quiet frames need not be decoded.
  bool rests() const { return !stirs_ && quietFor_ >= kRestAfter; }

  /// Restarts the wait for quiet frames after which the stream may rest.
  void wake() { quietFor_ = 0; }

 private:
  /// Time with quiet frames, in samples at 16 kHz, after which a stream rests: 400 ms.
  static constexpr std::size_t kRestAfter = 6400;

  void learn(const Look& look, float seconds, bool decoded);

  /// `floor_`: level of the sound around the wearer in each band. `excess_`: how far the last frames exceeded
  /// this level on average.
  std::array<float, Look::kBands> floor_{};
  std::array<float, Look::kBands> excess_{};
  float voice_ = 0;
  std::uint8_t count_ = 0;
  bool calm_ = false;
  bool stirs_ = true;
  std::size_t quietFor_ = 0;
};

}  // namespace cochlea
