#pragma once

#include <cstddef>
#include <cstdint>

namespace cochlea {

/// Thresholds are probabilities, lengths samples at 16 kHz.
struct GateOptions {
  float onset = 0.5f;
  float off = 0.35f;
  std::int64_t preRoll = 4800;
  std::int64_t endSilence = 9600;
  std::int64_t minSpeech = 4000;
  std::int64_t maxUtterance = 240000;
};

struct GateEvent {
  enum Kind : std::uint8_t { kSpeechStart = 1, kSpeechEnd = 2, kUtterance = 3 };
  Kind kind;
  /// Whether the utterance was cut at the maximum; speech continues in the next utterance.
  bool cut;
  /// kSpeechStart: the onset. kSpeechEnd: the end. kUtterance: the first sample and the sample after the last.
  std::int64_t first;
  std::int64_t last;
  /// kUtterance: start and end of the speech in it.
  std::int64_t speechStart;
  std::int64_t speechEnd;
};

/// Most events of one `step`.
constexpr std::size_t kGateEvents = 3;

/// Finds utterances in a sequence of probabilities, one for each window. A pure state machine: its events depend on the
/// probabilities only, so both cores agree. Positions are samples since the stream opened.
///
/// Speech opens at a window that reaches `onset` and lasts until `endSilence` of windows below `off`. It is announced
/// once it has lasted `minSpeech`; shorter speech is never announced. An utterance is its speech with up to `preRoll` (at most
/// half of `maxUtterance`) before it and 300 ms after it. One that reaches `maxUtterance` is cut in the middle of the window
/// with the lowest probability in its last third, and the next begins at the following sample.
class Gate {
 public:
  explicit Gate(const GateOptions& options);

  /// @param events space for `kGateEvents`
  /// @returns events written
  std::size_t step(float probability, GateEvent* events);

  /// Ends open speech, as if silence had followed.
  /// @param end the stream's position, which may lie inside a window that was not given to `step`
  std::size_t flush(std::int64_t end, GateEvent* events);

  /// Samples before this one will not be part of any utterance.
  std::int64_t retainFrom() const;

  std::int64_t position() const { return position_; }
  bool speaking() const { return open_; }

 private:
  std::size_t finish(std::int64_t end, GateEvent* events);
  std::size_t cut(GateEvent* events);

  GateOptions options_;
  std::int64_t position_ = 0;
  /// End of the last utterance. No later utterance begins before it.
  std::int64_t taken_ = 0;
  bool open_ = false;
  bool announced_ = false;
  std::int64_t first_ = 0;
  std::int64_t speechStart_ = 0;
  /// Start of the current silence, or -1.
  std::int64_t silence_ = -1;
  float quietest_ = 2;
  std::int64_t quietAt_ = -1;
};

}  // namespace cochlea
