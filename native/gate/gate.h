#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace cochlea {

/// One step of the schedule in `GateOptions`. Once the speech of an utterance has the length `speech`, a
/// silence of the length `silence` ends the utterance. Both lengths are in samples.
struct SilenceStep {
  std::int64_t speech;
  std::int64_t silence;
};

/// Maximum number of steps in a schedule.
constexpr std::size_t kSilenceSteps = 8;

/// Options of the gate. Thresholds are probabilities. Lengths are in samples at 16 kHz.
struct GateOptions {
  float onset = 0.5f;
  float off = 0.35f;
  std::int64_t preRoll = 4800;
  std::int64_t endSilence = 9600;
  /// Replaces `endSilence` while the gate lingers (see `linger`), if `longSilence` is the longer of the two.
  std::int64_t longSilence = 0;
  /// Steps in order of increasing `speech`. Only the first `silenceSteps` are used. Without steps,
  /// `endSilence` ends every utterance.
  std::array<SilenceStep, kSilenceSteps> schedule{};
  std::size_t silenceSteps = 0;
  std::int64_t minSpeech = 4000;
  std::int64_t maxUtterance = 240000;
  /// Lengths that trigger a report of an open utterance: `openSilence` of silence, or `openStep` of new
  /// speech since the last report. 0 disables the report.
  std::int64_t openSilence = 0;
  std::int64_t openStep = 0;
};

/// A member of `GateOptions` with its name in JavaScript.
template <typename Value>
struct GateNumber {
  const char* name;
  Value GateOptions::* member;
};

constexpr std::array kGateThresholds{
    GateNumber<float>{"onset", &GateOptions::onset},
    GateNumber<float>{"off", &GateOptions::off},
};

constexpr std::array kGateLengths{
    GateNumber<std::int64_t>{"preRoll", &GateOptions::preRoll},
    GateNumber<std::int64_t>{"endSilence", &GateOptions::endSilence},
    GateNumber<std::int64_t>{"minSpeech", &GateOptions::minSpeech},
    GateNumber<std::int64_t>{"maxUtterance", &GateOptions::maxUtterance},
};

struct GateEvent {
  /// The values equal the values of EventKind in stream/stream.h.
  enum Kind : std::uint8_t { kSpeechStart = 1, kSpeechEnd = 2, kUtterance = 3, kOpen = 8 };
  Kind kind;
  /// kUtterance: whether it was cut at the maximum length, so that speech continues in the next utterance.
  /// kOpen: whether the utterance is in a pause.
  bool cut;
  /// kSpeechStart: `first` is the position of the onset. kSpeechEnd: `first` is the position of the end.
  /// kUtterance, kOpen: `first` is the first sample, `last` is the sample after the last.
  std::int64_t first;
  std::int64_t last;
  /// kUtterance, kOpen: start and end of the speech in the utterance.
  std::int64_t speechStart;
  std::int64_t speechEnd;
  /// kSpeechEnd, kUtterance, kOpen: mean probability of the windows from the onset to the last window that
  /// was not silent, including short silences.
  float probability = 0;
};

/// Maximum number of events of one `step`.
constexpr std::size_t kGateEvents = 3;

/// Finds utterances in a sequence of probabilities, one for each window. Its events depend only on the
/// probabilities, so the native and the portable core agree. Positions are samples since the stream opened.
///
/// Speech begins at a window that reaches `onset`. It ends after a silence: windows below `off` for a time of
/// `endSilence`. The schedule can shorten this time: once the speech has reached the `speech` of a step, the
/// `silence` of the step suffices. While the gate lingers, `longSilence` replaces `endSilence` if
/// `longSilence` is longer. Lingering may begin and end at any window, also inside an utterance.
///
/// Speech is announced once it has lasted `minSpeech`. Shorter speech is not announced. The schedule can end
/// speech early. Speech that begins within `endSilence` after such an end needs only half of `minSpeech`.
/// Without the schedule, the speech before and after the end would be one utterance.
///
/// An utterance is its speech with up to `preRoll` (at most half of `maxUtterance`) before it and 300 ms
/// after it. An utterance that reaches `maxUtterance` is cut in the middle of the window with the lowest
/// probability in its last third. The next utterance begins at the following sample.
///
/// Announced speech is reported as an open utterance: once in each silence that reaches `openSilence`, and
/// whenever `openStep` of speech have followed the last report.
class Gate {
 public:
  explicit Gate(const GateOptions& options);

  /// Processes the probability of the next window. @param events space for `kGateEvents` events
  /// @returns number of events written
  std::size_t step(float probability, GateEvent* events);

  /// Ends open speech as if silence had followed.
  /// @param end position of the stream's end. It may be inside a window that `step` did not get
  std::size_t flush(std::int64_t end, GateEvent* events);

  /// Sets whether the gate lingers. At first it does not.
  void linger(bool on) { lingers_ = on; }

  /// Returns the position of the first sample that the open utterance or a later one may contain.
  std::int64_t retainFrom() const;

  std::int64_t position() const { return position_; }
  bool speaking() const { return open_; }
  /// Whether speech is open and was announced. Its end will then also be announced.
  bool announced() const { return open_ && announced_; }
  /// Returns the open utterance so far. Valid only while `announced` is true.
  GateEvent openUtterance() const;

 private:
  /// Returns the length of the silence that ends speech if no step of the schedule applies.
  std::int64_t endSilence() const;
  /// Returns the length of the silence that ends speech of the length `speech`.
  std::int64_t silenceAfter(std::int64_t speech) const;
  std::size_t finish(std::int64_t end, GateEvent* events);
  std::size_t cut(GateEvent* events);
  /// Whether the open utterance must be reported now.
  bool tellsOpen() const;
  /// Adds a window of the open speech to the sums.
  void tally(float probability);
  /// Returns the mean probability of the open speech.
  float mean() const;

  GateOptions options_;
  std::int64_t position_ = 0;
  /// Position of the end of the last utterance. No later utterance begins before it.
  std::int64_t taken_ = 0;
  bool lingers_ = false;
  /// End of the last announced speech, plus `endSilence`. Speech that begins before this position is
  /// announced after half of `minSpeech`.
  std::int64_t bridgedUntil_ = -1;
  bool open_ = false;
  bool announced_ = false;
  std::int64_t first_ = 0;
  std::int64_t speechStart_ = 0;
  /// Position of the start of the current silence; -1 if there is none.
  std::int64_t silence_ = -1;
  /// Position up to which the open utterance was reported.
  std::int64_t toldUntil_ = 0;
  /// Whether the open utterance was reported in the current silence.
  bool silenceTold_ = false;
  float quietest_ = 2;
  std::int64_t quietAt_ = -1;
  /// Sum of the probabilities, and number of windows, since the onset. The `voiced` values count only up to
  /// the last window that was not silent.
  double sum_ = 0;
  std::int64_t windows_ = 0;
  double voicedSum_ = 0;
  std::int64_t voicedWindows_ = 0;
};

}  // namespace cochlea
