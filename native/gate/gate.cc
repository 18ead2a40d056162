#include "gate/gate.h"

#include <algorithm>

namespace cochlea {
namespace {

constexpr std::int64_t kStep = 512;
/// Number of samples of silence that an utterance keeps after its speech: 300 ms, because recognisers need
/// them.
constexpr std::int64_t kTrail = 4800;

}  // namespace

Gate::Gate(const GateOptions& options) : options_(options) {
  options_.preRoll = std::min(options_.preRoll, options_.maxUtterance / 2);
}

std::int64_t Gate::retainFrom() const {
  return open_ ? first_ : std::max(taken_, position_ - options_.preRoll);
}

std::int64_t Gate::endSilence() const {
  return lingers_ ? std::max(options_.endSilence, options_.longSilence) : options_.endSilence;
}

std::int64_t Gate::silenceAfter(std::int64_t speech) const {
  std::int64_t silence = endSilence();
  for (std::size_t i = 0; i < options_.silenceSteps && speech >= options_.schedule[i].speech; ++i) {
    silence = std::min(silence, options_.schedule[i].silence);
  }
  return silence;
}

std::size_t Gate::step(float probability, GateEvent* events) {
  const std::int64_t windowStart = position_;
  position_ += kStep;
  if (!open_) {
    if (!(probability >= options_.onset)) return 0;
    open_ = true;
    announced_ = false;
    speechStart_ = std::max(taken_, windowStart);
    first_ = std::min(speechStart_, std::max(taken_, windowStart - options_.preRoll));
    silence_ = -1;
    silenceTold_ = false;
    toldUntil_ = speechStart_;
    quietAt_ = -1;
    quietest_ = 2;
    sum_ = 0;
    windows_ = 0;
    voicedSum_ = 0;
    voicedWindows_ = 0;
  } else if (probability >= options_.off) {
    silence_ = -1;
    silenceTold_ = false;
  } else if (silence_ < 0) {
    silence_ = std::max(speechStart_, windowStart);
  }
  tally(probability);
  if (3 * (windowStart - first_) >= 2 * options_.maxUtterance && probability <= quietest_) {
    quietest_ = probability;
    quietAt_ = windowStart + kStep / 2;
  }

  std::size_t count = 0;
  const std::int64_t voiced = silence_ >= 0 ? silence_ : position_;
  const std::int64_t least = speechStart_ < bridgedUntil_ ? options_.minSpeech / 2 : options_.minSpeech;
  if (!announced_ && voiced - speechStart_ >= least) {
    announced_ = true;
    events[count++] = {GateEvent::kSpeechStart, false, speechStart_, 0, 0, 0};
  }
  if (silence_ >= 0 && position_ - silence_ >= silenceAfter(silence_ - speechStart_)) {
    return count + finish(position_, events + count);
  }
  if (position_ - first_ >= options_.maxUtterance) {
    if (!announced_) {
      announced_ = true;
      events[count++] = {GateEvent::kSpeechStart, false, speechStart_, 0, 0, 0};
    }
    return count + cut(events + count);
  }
  if (tellsOpen()) {
    events[count++] = openUtterance();
    toldUntil_ = position_;
    silenceTold_ = silence_ >= 0;
  }
  return count;
}

void Gate::tally(float probability) {
  sum_ += probability;
  ++windows_;
  if (silence_ >= 0) return;
  voicedSum_ = sum_;
  voicedWindows_ = windows_;
}

float Gate::mean() const {
  return voicedWindows_ > 0 ? static_cast<float>(voicedSum_ / static_cast<double>(voicedWindows_)) : 0;
}

bool Gate::tellsOpen() const {
  if (!announced_ || options_.openStep <= 0) return false;
  if (silence_ >= 0) return !silenceTold_ && position_ - silence_ >= options_.openSilence;
  return position_ - toldUntil_ >= options_.openStep;
}

GateEvent Gate::openUtterance() const {
  return {GateEvent::kOpen,
          silence_ >= 0,
          first_,
          position_,
          speechStart_,
          silence_ >= 0 ? silence_ : position_,
          mean()};
}

std::size_t Gate::flush(std::int64_t end, GateEvent* events) { return open_ ? finish(end, events) : 0; }

std::size_t Gate::finish(std::int64_t end, GateEvent* events) {
  open_ = false;
  if (!announced_) return 0;
  const std::int64_t speechEnd = silence_ >= 0 ? silence_ : end;
  bridgedUntil_ = options_.silenceSteps > 0 ? speechEnd + endSilence() : -1;
  events[0] = {GateEvent::kSpeechEnd, false, speechEnd, 0, 0, 0, mean()};
  // Writes no utterance if only silence has followed the last cut.
  if (speechEnd <= speechStart_) return 1;
  const std::int64_t last = std::min(end, speechEnd + kTrail);
  events[1] = {GateEvent::kUtterance, false, first_, last, speechStart_, speechEnd, mean()};
  taken_ = last;
  return 2;
}

std::size_t Gate::cut(GateEvent* events) {
  const std::int64_t at = quietAt_ > speechStart_ ? quietAt_ : position_;
  const std::int64_t speechEnd = silence_ >= 0 ? std::min(silence_, at) : at;
  std::size_t count = 0;
  // The part before the cut may contain only silence. This happens if `maxUtterance` is shorter than the
  // silence that ends an utterance.
  if (speechEnd > speechStart_) {
    events[count++] = {GateEvent::kUtterance, true, first_, at, speechStart_, speechEnd, mean()};
  }
  taken_ = at;
  first_ = at;
  speechStart_ = at;
  if (silence_ >= 0) silence_ = std::max(silence_, at);
  silenceTold_ = false;
  toldUntil_ = at;
  quietAt_ = -1;
  quietest_ = 2;
  return count;
}

}  // namespace cochlea
