#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace cochlea {

/// How much silence ends an utterance once its speech has lasted some time.
struct SilenceStep {
  std::int64_t speech;
  std::int64_t silence;
};

/// Most steps of a schedule.
constexpr std::size_t kSilenceSteps = 8;

/// Thresholds are probabilities, lengths samples at 16 kHz.
struct GateOptions {
  float onset = 0.5f;
  float off = 0.35f;
  std::int64_t preRoll = 4800;
  std::int64_t endSilence = 9600;
  /// Beginning with the shortest speech; `silenceSteps` of them are used. With none, `endSilence` ends every
  /// utterance.
  std::array<SilenceStep, kSilenceSteps> schedule{};
  std::size_t silenceSteps = 0;
  std::int64_t minSpeech = 4000;
  std::int64_t maxUtterance = 240000;
  /// An open utterance is told of after so much silence, and whenever it has so much new speech; 0: never.
  std::int64_t openSilence = 0;
  std::int64_t openStep = 0;
};

/// A member of the options with its name in JavaScript.
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
  /// As in EventKind of stream/stream.h.
  enum Kind : std::uint8_t { kSpeechStart = 1, kSpeechEnd = 2, kUtterance = 3, kOpen = 8 };
  Kind kind;
  /// kUtterance: it was cut at the maximum; speech continues in the next utterance. kOpen: it pauses.
  bool cut;
  /// kSpeechStart: the onset. kSpeechEnd: the end. kUtterance, kOpen: the first sample and the sample after
  /// the last.
  std::int64_t first;
  std::int64_t last;
  /// kUtterance, kOpen: start and end of the speech in it.
  std::int64_t speechStart;
  std::int64_t speechEnd;
  /// kSpeechEnd: mean probability of the windows from the onset to the end, short silences included.
  float probability = 0;
};

/// Most events of one `step`.
constexpr std::size_t kGateEvents = 3;

/// Finds utterances in a sequence of probabilities, one for each window. A pure state machine: its events
/// depend on the probabilities only, so both cores agree. Positions are samples since the stream opened.
///
/// Speech opens at a window that reaches `onset` and lasts until windows below `off` have lasted
/// `endSilence`, or less: what the last step of the schedule asks for whose length the speech of the
/// utterance has reached before that silence. Speech is announced once it has lasted `minSpeech`. Shorter
/// speech is never announced, unless it begins within `endSilence` of speech that ended by the schedule:
/// without it both would be one utterance, so half of `minSpeech` is enough. An utterance is its speech with
/// up to `preRoll` (at most half of `maxUtterance`) before it and 300 ms after it. One that reaches
/// `maxUtterance` is cut in the middle of the window with the lowest probability in its last third, and the
/// next begins at the following sample.
///
/// Announced speech that goes on is told of as an open utterance, once in each silence that lasts
/// `openSilence`, and whenever `openStep` of it have come since it was told of last.
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
  /// Whether speech is open and was announced, so that its end will be.
  bool announced() const { return open_ && announced_; }
  /// The open utterance so far. Only while `announced`.
  GateEvent openUtterance() const;

 private:
  /// Silence that ends speech which has lasted this long.
  std::int64_t silenceAfter(std::int64_t speech) const;
  std::size_t finish(std::int64_t end, GateEvent* events);
  std::size_t cut(GateEvent* events);
  /// Whether the open utterance is to be told of now.
  bool tellsOpen() const;
  /// Counts a window of the open speech.
  void tally(float probability);

  GateOptions options_;
  std::int64_t position_ = 0;
  /// End of the last utterance. No later utterance begins before it.
  std::int64_t taken_ = 0;
  /// Speech that begins before this needs half of the minimum: `endSilence` after the last announced speech
  /// has ended.
  std::int64_t bridgedUntil_ = -1;
  bool open_ = false;
  bool announced_ = false;
  std::int64_t first_ = 0;
  std::int64_t speechStart_ = 0;
  /// Start of the current silence, or -1.
  std::int64_t silence_ = -1;
  /// Up to where the open utterance was told of, and whether that was done in the current silence.
  std::int64_t toldUntil_ = 0;
  bool silenceTold_ = false;
  float quietest_ = 2;
  std::int64_t quietAt_ = -1;
  /// Sum of the probabilities since the onset, and how many windows these are; the same up to the last window
  /// that was no silence.
  double sum_ = 0;
  std::int64_t windows_ = 0;
  double voicedSum_ = 0;
  std::int64_t voicedWindows_ = 0;
};

}  // namespace cochlea
