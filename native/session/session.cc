#include "session/session.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

namespace cochlea {
namespace {

constexpr std::uint32_t kRate = 16000;
/// Concealment fades out; beyond this it is silence anyway.
constexpr std::size_t kMaxConcealed = 1600;
/// Concealed at a time: a whole number of 2.5 ms.
constexpr std::size_t kConcealStep = 320;
/// A gap longer than this is skipped: by then decoder, resampler and detector have seen nothing but silence for long
/// enough that windows of silence are known to be silent. Otherwise dropping would save no work.
constexpr std::size_t kBridgedMs = 200;
/// Trimmed only when this much is no longer needed, so that trimming costs little per window.
constexpr std::size_t kTrimStep = 1024;
/// Coded frames are bounded by bytes too: a stream of 2.5 ms packets of the largest size would hold megabytes.
constexpr std::size_t kMaxCodedBytes = 40960;
constexpr std::size_t kMaxPcmBytes = 4 << 20;

std::size_t slabUnits(const Format& format, std::uint32_t ms) {
  if (format.codec == Codec::kOpus) return static_cast<std::size_t>(ms) * (kRate / 1000);
  const std::size_t frame = (format.codec == Codec::kPcm16 ? 2 : 1) * format.channels;
  return static_cast<std::size_t>(static_cast<std::uint64_t>(ms) * format.rate / 1000 * frame);
}

}  // namespace

Session::Session(std::uint32_t handle, const Format& format, const GateOptions& gate, std::uint32_t slab,
                 const Kernels& kernels)
    : handle_(handle),
      format_(format),
      kernels_(kernels),
      slab_(slabUnits(format, slab), format.codec == Codec::kOpus ? kMaxCodedBytes : kMaxPcmBytes),
      gate_(gate),
      idleSamples_(static_cast<std::size_t>(gate.preRoll) + kTrimStep + kWindow) {
  audio_.reserve(idleSamples_);
  const bool coded = format.codec == Codec::kOpus;
  const std::size_t rate = coded ? kRate : format.rate;
  const std::size_t frame = coded ? 1 : (format.codec == Codec::kPcm16 ? 2 : 1) * format.channels;
  const std::size_t divisor = std::gcd<std::size_t>(kRate, rate);
  const std::size_t up = kRate / divisor;
  const std::size_t down = rate / divisor;
  skipWindows_ = up / std::gcd(up, kWindow * down);
  skipUnits_ = skipWindows_ * kWindow * down / up * frame;
}

bool Session::init() {
  if (format_.codec == Codec::kOpus) {
    opus_.emplace();
    return opus_->init();
  }
  pcm_.emplace(format_.codec == Codec::kPcm16, format_.channels);
  if (format_.rate != kRate) resampler_.emplace(format_.rate);
  return true;
}

void Session::push(const std::uint8_t* bytes, std::size_t length) {
  std::size_t units = length;
  if (length == 0 || length > kMaxFrame) {
    units = 0;
  } else if (opus_) {
    units = OpusStream::duration(bytes, length);
  }
  if (units == 0) {
    ++invalid_;
    ++faults_;
    return;
  }
  const Slab::Loss loss = slab_.push(bytes, length, units);
  if (loss.frames == 0) return;
  if (pcm_) pcm_->skip(loss.bytes);
  gapUnits_ += loss.units;
  gapFrames_ += loss.frames;
  dropped_ += loss.frames;
}

std::size_t Session::unitsToSamples(std::size_t units) const {
  if (!pcm_) return units;
  const std::size_t samples = units / pcm_->frameBytes();
  if (format_.rate == kRate) return samples;
  return static_cast<std::size_t>(static_cast<std::uint64_t>(samples) * kRate / format_.rate);
}

std::size_t Session::windowsReady() const {
  const std::size_t units = gapUnits_ + slab_.units();
  const std::size_t waiting = resampler_ ? resampler_->outputsFor(units / pcm_->frameBytes()) : unitsToSamples(units);
  return (fifoCount_ + waiting) / kWindow;
}

bool Session::fill(EventWriter& events) {
  while (fifoCount_ < kWindow) {
    if (gapUnits_ > 0) {
      bridgeGap(events);
    } else if (!slab_.empty()) {
      decodeFront();
    } else {
      return false;
    }
  }
  return true;
}

void Session::append(const std::int16_t* source, std::size_t count) {
  if (resampler_) {
    fifoCount_ += resampler_->process(source, count, fifo_.data() + fifoCount_, kernels_);
    return;
  }
  std::memcpy(fifo_.data() + fifoCount_, source, count * sizeof(std::int16_t));
  fifoCount_ += count;
}

void Session::decodeFront() {
  const Slab::Frame frame = slab_.front();
  if (opus_) {
    const std::size_t samples = opus_->decode(frame.bytes, frame.length, fifo_.data() + fifoCount_);
    if (samples == 0) {
      ++invalid_;
      ++faults_;
    } else {
      ++decoded_;
      fifoCount_ += samples;
    }
    slab_.pop();
    return;
  }
  std::int16_t samples[Resampler::kMaxInput];
  std::size_t consumed = 0;
  const std::size_t count = pcm_->decode(frame.bytes, frame.length, samples, Resampler::kMaxInput, &consumed);
  if (consumed == frame.length) ++decoded_;
  slab_.consume(consumed, consumed);
  append(samples, count);
}

void Session::bridgeGap(EventWriter& events) {
  if (gapFrames_ > 0) {
    events.write(handle_, EventKind::kDropped, static_cast<double>(gapFrames_),
                 static_cast<double>(unitsToSamples(gapUnits_)), static_cast<double>(position()));
    gapFrames_ = 0;
    concealable_ = kMaxConcealed;
    bridged_ = 0;
  }
  if (unitsToSamples(bridged_) >= kBridgedMs * (kRate / 1000) && gapUnits_ >= skipUnits_) {
    skipSilence(events);
    return;
  }
  const std::size_t before = gapUnits_;
  if (opus_) {
    const std::size_t count = std::min(gapUnits_, kConcealStep);
    std::int16_t* out = fifo_.data() + fifoCount_;
    std::size_t written = 0;
    if (concealable_ >= count && count % 40 == 0) {
      written = opus_->conceal(out, count);
      concealable_ -= count;
    }
    if (written != count) std::memset(out, 0, count * sizeof(std::int16_t));
    fifoCount_ += count;
    gapUnits_ -= count;
    bridged_ += before - gapUnits_;
    return;
  }
  const std::int16_t silence[Resampler::kMaxInput] = {};
  const std::size_t frameBytes = pcm_->frameBytes();
  // Odd bytes round up: `skip` dropped the rest of the sample they began.
  const std::size_t count = std::min((gapUnits_ + frameBytes - 1) / frameBytes, Resampler::kMaxInput);
  gapUnits_ -= std::min(gapUnits_, count * frameBytes);
  bridged_ += before - gapUnits_;
  append(silence, count);
}

void Session::skipSilence(EventWriter& events) {
  // What is left in `fifo_` is silence too, so these windows may go in front of it.
  GateEvent list[kGateEvents];
  for (std::size_t w = 0; w < skipWindows_; ++w) {
    audio_.insert(audio_.end(), kWindow, 0);
    report(list, gate_.step(0, list), events);
    trim();
  }
  gapUnits_ -= skipUnits_;
}

void Session::advance(float probability, EventWriter& events) {
  audio_.insert(audio_.end(), fifo_.begin(), fifo_.begin() + kWindow);
  fifoCount_ -= kWindow;
  std::memmove(fifo_.data(), fifo_.data() + kWindow, fifoCount_ * sizeof(std::int16_t));
  GateEvent list[kGateEvents];
  report(list, gate_.step(probability, list), events);
  trim();
}

void Session::finish(EventWriter& events) {
  GateEvent list[kGateEvents];
  report(list, gate_.flush(position(), list), events);
  trim();
}

void Session::report(const GateEvent* list, std::size_t count, EventWriter& events) {
  for (std::size_t i = 0; i < count; ++i) {
    const GateEvent& event = list[i];
    if (event.kind != GateEvent::kUtterance) {
      const EventKind kind = event.kind == GateEvent::kSpeechStart ? EventKind::kSpeechStart : EventKind::kSpeechEnd;
      events.write(handle_, kind, static_cast<double>(event.first));
      continue;
    }
    Utterance utterance{{}, event.first, event.speechStart, event.speechEnd, event.cut};
    utterance.pcm.reserve(static_cast<std::size_t>(event.last - event.first));
    const std::int64_t stored = std::min(event.last, gate_.position());
    utterance.pcm.assign(audio_.begin() + (event.first - audioStart_), audio_.begin() + (stored - audioStart_));
    // A flush hands out what no window has held yet.
    if (event.last > stored) {
      utterance.pcm.insert(utterance.pcm.end(), fifo_.begin(), fifo_.begin() + (event.last - stored));
    }
    utterances_.push_back(std::move(utterance));
    events.write(handle_, EventKind::kUtterance, static_cast<double>(event.first), static_cast<double>(event.last),
                 event.cut ? 1 : 0);
  }
}

void Session::trim() {
  const std::int64_t from = std::min(gate_.retainFrom(), gate_.position());
  const auto excess = static_cast<std::size_t>(from - audioStart_);
  if (excess < kTrimStep) return;
  audio_.erase(audio_.begin(), audio_.begin() + static_cast<std::ptrdiff_t>(excess));
  audioStart_ = from;
  if (gate_.speaking() || audio_.capacity() <= idleSamples_) return;
  std::vector<std::int16_t> idle;
  idle.reserve(idleSamples_);
  idle.assign(audio_.begin(), audio_.end());
  audio_.swap(idle);
}

std::optional<Utterance> Session::take() {
  if (utterances_.empty()) return std::nullopt;
  Utterance oldest = std::move(utterances_.front());
  utterances_.pop_front();
  return oldest;
}

std::uint32_t Session::takeFaults() { return std::exchange(faults_, 0); }

std::size_t Session::bytes() const {
  std::size_t total = sizeof *this + slab_.bytes();
  if (opus_) total += opus_->bytes();
  if (resampler_) total += resampler_->bytes();
  // The bounded speech buffer is counted apart: what an idle stream would keep of it is not.
  return total + std::min(audio_.capacity(), idleSamples_) * sizeof(std::int16_t);
}

}  // namespace cochlea
