#include "stream/stream.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "codec/aac.h"
#include "codec/lc3.h"
#include "codec/opus.h"

namespace cochlea {
namespace {

constexpr std::uint32_t kRate = 16000;
/// Maximum length of concealed audio in ms. Concealment fades out, so the remainder of a gap is silence.
constexpr std::size_t kMaxConcealedMs = 100;
/// Number of bytes in a frame of `lc3_fs1030`.
constexpr std::size_t kLc3Fs1030Frame = 30;
/// After this many ms of a gap, the detector no longer runs: further windows count as silent. By then
/// decoder, resampler and detector have processed so much silence that the result is known. Gaps come from
/// dropped frames, and frames are dropped to save work. Running the detector over the gap would lose what
/// that saves.
constexpr std::size_t kBridgedMs = 200;
/// Maximum number of queued bytes of coded frames. Without this limit, packets of 2.5 ms with the maximum
/// size would take megabytes.
constexpr std::size_t kMaxCodedBytes = 40960;
constexpr std::size_t kMaxPcmBytes = 4 << 20;

std::unique_ptr<FrameDecoder> makeDecoder(const Format& format) {
  switch (format.codec) {
    case Codec::kOpus: {
      auto opus = std::make_unique<OpusStream>();
      return opus->init() ? std::move(opus) : nullptr;
    }
    case Codec::kAac:
      return AacStream::make();
    case Codec::kLc3:
      return Lc3Stream::make(format.rate, format.channels, 0);
    case Codec::kLc3Fs1030:
      return Lc3Stream::make(format.rate, format.channels, kLc3Fs1030Frame);
    default:
      return nullptr;
  }
}

std::optional<PcmDecoder> makePcm(const Format& format) {
  if (format.codec != Codec::kPcm8 && format.codec != Codec::kPcm16) return std::nullopt;
  return PcmDecoder(format.codec == Codec::kPcm16, format.channels);
}

const SileroVariant& variantFor(const Format& format) {
  const bool keepsRate = format.codec != Codec::kOpus && format.codec != Codec::kAac;
  return keepsRate && format.rate == kNarrowVariant.rate ? kNarrowVariant : kWideVariant;
}

std::size_t queueUnits(std::uint64_t unitRate, std::uint32_t ms) {
  return static_cast<std::size_t>(unitRate * ms / 1000);
}

}  // namespace

Stream::Stream(std::uint32_t handle, const Format& format, const GateOptions& gate, std::uint32_t queueMs,
               const Kernels& kernels, const BudgetOptions& budget, bool rests)
    : handle_(handle),
      kernels_(kernels),
      pcm_(makePcm(format)),
      coded_(makeDecoder(format)),
      // For PCM the limit is a whole number of samples, so that only complete samples are dropped.
      queue_(coded_ ? queueUnits(coded_->unitRate(), queueMs)
                    : queueUnits(format.rate, queueMs) * (pcm_ ? pcm_->frameBytes() : 1),
             coded_ ? kMaxCodedBytes : kMaxPcmBytes),
      budget_(budget),
      unitMs_(1000.0 / (coded_ ? coded_->unitRate()
                               : static_cast<double>(format.rate * (pcm_ ? pcm_->frameBytes() : 1)))),
      variant_(variantFor(format)),
      gate_(gate),
      recording_(variant_.rate, gate.preRoll) {
  setRate(coded_ ? coded_->rate() : format.rate);
  // The stream may rest only if the queue has space for the held audio, and for as much new audio.
  if (rests && format.codec == Codec::kOpus && queueUnits(kRate, queueMs) >= 2 * kHold) {
    looks_ = std::make_unique<Looks>();
  }
}

void Stream::setRate(std::uint32_t rate) {
  rate_ = rate;
  sampleUnits_ = coded_ ? coded_->unitRate() / rate : pcm_ ? pcm_->frameBytes() : 1;
  resampler_.reset();
  if (rate != variant_.rate) resampler_.emplace(rate);
  const std::size_t divisor = std::gcd<std::size_t>(kRate, rate);
  const std::size_t up = kRate / divisor;
  const std::size_t down = rate / divisor;
  skipWindows_ = up / std::gcd(up, kWindow * down);
  skipUnits_ = skipWindows_ * kWindow * down / up * sampleUnits_;
}

bool Stream::init() { return pcm_ || coded_; }

void Stream::push(const std::uint8_t* bytes, std::size_t length, std::uint32_t arrival, double now) {
  std::size_t units = length;
  if (length == 0 || length > kMaxFrame) {
    units = 0;
  } else if (coded_) {
    units = coded_->duration(bytes, length);
  }
  if (units == 0) {
    ++invalid_;
    ++faults_;
    return;
  }
  if (!budget_.take(static_cast<double>(units) * unitMs_, now)) {
    ++refused_.frames;
    refused_.units += units;
    refused_.bytes += length;
    ++overBudget_;
    ++refusedUntold_;
    return;
  }
  if (lost_.frames > 0) {
    refused_.frames += lost_.frames;
    refused_.units += coded_ ? lost_.frames * units : lost_.bytes;
    refused_.bytes += lost_.bytes;
    lost_ = {};
  }
  if (refused_.frames > 0) {
    wake();
    resume();
  }
  // Wakes the stream before its held frames fill the queue.
  if (resting_ && queue_.size() + length > kMaxCodedBytes / 2) wake();
  const FrameQueue::Loss loss = queue_.push(bytes, length, units, arrival);
  if (looks_) {
    if (heldUnits_ == 0) heldArrival_ = arrival;
    look(bytes, length, units);
  }
  if (loss.frames == 0) return;
  // The stream must be awake to bridge the gap of the dropped frames.
  wake();
  heldUnits_ -= std::min(heldUnits_, loss.units);
  if (pcm_) pcm_->skip(loss.bytes);
  gapUnits_ += loss.units;
  gapFrames_ += loss.frames;
  dropped_ += loss.frames;
  passed(loss.frames);
}

void Stream::lose(std::size_t frames, std::size_t bytes) {
  lost_.frames += frames;
  lost_.bytes += bytes;
}

void Stream::resume() {
  // Joins the new gap with an earlier gap whose preceding frames are still in the queue. This is rare,
  // because the frame queue becomes empty long before the budget recovers.
  later_.frames += refused_.frames;
  later_.units += refused_.units;
  later_.bytes += refused_.bytes;
  refused_ = {};
  aheadOfGap_ = queue_.frames();
  if (aheadOfGap_ == 0) openRefused();
}

void Stream::passed(std::size_t count) {
  if (aheadOfGap_ == 0) return;
  aheadOfGap_ -= std::min(aheadOfGap_, count);
  if (aheadOfGap_ == 0) openRefused();
}

void Stream::openRefused() {
  if (pcm_) pcm_->skip(later_.bytes);
  gapUnits_ += later_.units;
  gapFrames_ += later_.frames;
  later_ = {};
}

std::size_t Stream::unitsToSamples(std::size_t units) const {
  const std::size_t samples = units / sampleUnits_;
  if (rate_ == kRate) return samples;
  return static_cast<std::size_t>(static_cast<std::uint64_t>(samples) * kRate / rate_);
}

std::size_t Stream::windowsReady() const {
  const std::size_t held = resting_ ? std::min(queue_.units(), kHold) : 0;
  const std::size_t units = gapUnits_ + later_.units + queue_.units() - held + (pcm_ ? pcm_->carried() : 0);
  const std::size_t samples = units / sampleUnits_;
  return (fifoCount_ + ahead_.left() + (resampler_ ? resampler_->outputsFor(samples) : samples)) /
         variant_.window;
}

bool Stream::fill(EventWriter& events) {
  while (fifoCount_ < variant_.window) {
    if (resting_) {
      if (queue_.units() <= kHold) return false;
      skipFront();
    } else if (skippedUnits_ > 0) {
      decodeAfterRest();
    } else if (ahead_.left() > 0) {
      fifoCount_ += ahead_.take(fifo_.data() + fifoCount_, variant_.window - fifoCount_);
    } else if (gapUnits_ > 0) {
      bridgeGap(events);
    } else if (!queue_.empty()) {
      decodeFront();
    } else {
      return false;
    }
  }
  return true;
}

void Stream::append(const std::int16_t* source, std::size_t count) {
  if (resampler_) {
    for (std::size_t at = 0; at < count; at += Resampler::kMaxInput) {
      const std::size_t part = std::min(count - at, Resampler::kMaxInput);
      fifoCount_ += resampler_->process(source + at, part, fifo_.data() + fifoCount_, kernels_);
    }
    return;
  }
  std::memcpy(fifo_.data() + fifoCount_, source, count * sizeof(std::int16_t));
  fifoCount_ += count;
}

void Stream::look(const std::uint8_t* bytes, std::size_t length, std::size_t units) {
  looks_->quiet.look(looks_->opus.read(bytes, length), units, !resting_);
  if (resting_ && looks_->quiet.stirs()) wake();
}

bool Stream::mayRest() const {
  const bool returnsAudio = need_ == AudioNeed::kEverything || (need_ == AudioNeed::kGated && gateOpen_);
  return looks_ && looks_->quiet.rests() && !gate_.speaking() && !returnsAudio && gapUnits_ == 0 &&
         aheadOfGap_ == 0 && heldUnits_ == 0 && asides_.empty() && ahead_.done();
}

void Stream::wake() {
  if (!resting_) return;
  resting_ = false;
  heldUnits_ = queue_.units();
  looks_->quiet.wake();
  if (skippedUnits_ > 0) {
    primeUnits_ = kPrime;
  } else {
    // No frame was skipped while the stream rested, so all samples in `fifo_` were decoded.
    blank_ = 0;
  }
}

void Stream::skipFront() {
  coded_->rest();
  const FrameQueue::Frame frame = queue_.front();
  // The skipped frame gets the arrival of the newest frame, because only the look at the newest frame decided
  // that this one is skipped.
  arrival_ = heldArrival_;
  std::memset(fifo_.data() + fifoCount_, 0, frame.units * sizeof(std::int16_t));
  fifoCount_ += frame.units;
  blank_ += frame.units;
  skippedUnits_ += frame.units;
  ++decoded_;
  ++skipped_;
  queue_.pop();
}

void Stream::decodeAfterRest() {
  if (gapUnits_ > 0 || queue_.empty()) {
    // Held frames were dropped, so no decoded audio can stand for the skipped frames.
    skippedUnits_ = 0;
    return;
  }
  if (primeUnits_ > 0) {
    const std::size_t before = fifoCount_;
    primeUnits_ -= std::min(primeUnits_, queue_.front().units);
    decodeFront();
    blank_ += fifoCount_ - before;
    return;
  }
  ahead_.begin((skippedUnits_ + kPrime) / kWindow);
  skippedUnits_ = 0;
  ahead_.append(fifo_.data(), fifoCount_);
  fifoCount_ = 0;
  while (ahead_.wants() && heldUnits_ > 0 && gapUnits_ == 0 && !queue_.empty()) {
    decodeFront();
    ahead_.append(fifo_.data(), fifoCount_);
    fifoCount_ = 0;
  }
}

void Stream::decodeFront() {
  const FrameQueue::Frame frame = queue_.front();
  arrival_ = heldUnits_ > 0 ? heldArrival_ : frame.arrival;
  heldUnits_ -= std::min(heldUnits_, frame.units);
  if (!pcm_) {
    decodeCoded(frame);
    queue_.pop();
    passed(1);
    return;
  }
  std::int16_t samples[Resampler::kMaxInput];
  std::size_t consumed = 0;
  const std::size_t count = pcm_->decode(frame.bytes, frame.length, samples, Resampler::kMaxInput, &consumed);
  queue_.consume(consumed, consumed);
  if (consumed == frame.length) {
    ++decoded_;
    passed(1);
  }
  append(samples, count);
}

void Stream::decodeCoded(const FrameQueue::Frame& frame) {
  // If no resampling is needed, the decoder writes directly to `fifo_`, from which windows are taken.
  std::int16_t scratch[FrameDecoder::kMaxSamples];
  std::int16_t* out = resampler_ ? scratch : fifo_.data() + fifoCount_;
  const FrameDecoder::Result result = coded_->decode(frame.bytes, frame.length, out);
  if (result.valid) {
    ++decoded_;
  } else {
    ++invalid_;
    ++faults_;
  }
  if (coded_->rate() != rate_) {
    // The samples are copied to `scratch`, because a resampler for the new rate writes to the memory where
    // they are.
    if (out != scratch) std::memcpy(scratch, out, result.samples * sizeof(std::int16_t));
    setRate(coded_->rate());
    append(scratch, result.samples);
  } else if (resampler_) {
    append(scratch, result.samples);
  } else {
    fifoCount_ += result.samples;
  }
}

void Stream::bridgeGap(EventWriter& events) {
  if (!queue_.empty()) arrival_ = queue_.front().arrival;
  if (gapFrames_ > 0) {
    events.write(handle_, EventKind::kDropped, static_cast<double>(gapFrames_),
                 static_cast<double>(unitsToSamples(gapUnits_)), static_cast<double>(end()));
    gapFrames_ = 0;
    concealable_ = rate_ * kMaxConcealedMs / 1000;
    bridged_ = 0;
  }
  if (unitsToSamples(bridged_) >= kBridgedMs * (kRate / 1000) &&
      gapUnits_ >= skipUnits_ + restorable() * sampleUnits_) {
    skipSilence(events);
    return;
  }
  const std::size_t before = gapUnits_;
  if (coded_) {
    gapUnits_ -= std::min(gapUnits_, bridgeCoded());
  } else {
    const std::int16_t silence[Resampler::kMaxInput] = {};
    // A partial sample at the end of the gap counts as a whole one, because `PcmDecoder::skip` discards the
    // rest of that sample.
    const std::size_t count = std::min((gapUnits_ + sampleUnits_ - 1) / sampleUnits_, Resampler::kMaxInput);
    gapUnits_ -= std::min(gapUnits_, count * sampleUnits_);
    append(silence, count);
  }
  bridged_ += before - gapUnits_;
}

std::size_t Stream::restorable() const {
  if (!coded_ || queue_.empty()) return 0;
  const FrameQueue::Frame next = queue_.front();
  const std::size_t units = coded_->restorable(next.bytes, next.length);
  return units <= gapUnits_ ? units / sampleUnits_ : 0;
}

std::size_t Stream::bridgeCoded() {
  std::int16_t out[FrameDecoder::kMaxSamples];
  const std::size_t gap = gapUnits_ / sampleUnits_;
  // After a change of rate, the remainder of the gap may be shorter than a sample.
  if (gap == 0) return gapUnits_;
  // The next frame may restore the end of the gap. So only the part before that end is concealed.
  const std::size_t lost = gap - std::min(gap, restorable());
  std::size_t written = 0;
  if (lost == 0) {
    const FrameQueue::Frame next = queue_.front();
    written = coded_->restore(next.bytes, next.length, out, gap);
    if (written == 0) {
      written = gap;
      std::memset(out, 0, written * sizeof(std::int16_t));
    }
  } else {
    if (concealable_ > 0) written = coded_->conceal(out, std::min(lost, FrameDecoder::kMaxSamples));
    if (written == 0) {
      written = std::min<std::size_t>(lost, rate_ / 50);
      std::memset(out, 0, written * sizeof(std::int16_t));
    }
    concealable_ -= std::min(concealable_, written);
  }
  append(out, written);
  return written * sampleUnits_;
}

void Stream::skipSilence(EventWriter& events) {
  // All samples in `fifo_` are silence, too. So it does not matter that the skipped windows are recorded
  // before them.
  GateEvent list[kGateEvents];
  setAside(gate_.position() + static_cast<std::int64_t>(skipWindows_ * kWindow));
  for (std::size_t w = 0; w < skipWindows_; ++w) {
    recording_.appendSilence(variant_.window);
    report(list, gate_.step(0, list), events);
    forget();
  }
  gapUnits_ -= skipUnits_;
}

void Stream::advance(float probability, EventWriter& events) {
  const bool decoded = !silent();
  blank_ -= std::min(blank_, variant_.window);
  if (decoded) {
    ahead_.pass();
  } else {
    vad_.skip(fifo_.data() + variant_.window);
  }
  recording_.append(fifo_.data(), variant_.window);
  fifoCount_ -= variant_.window;
  std::memmove(fifo_.data(), fifo_.data() + variant_.window, fifoCount_ * sizeof(std::int16_t));
  GateEvent list[kGateEvents];
  report(list, gate_.step(probability, list), events);
  forget();
  if (!looks_ || !decoded) return;
  looks_->quiet.decided(probability, gate_.speaking());
  if (!mayRest()) return;
  resting_ = true;
  blank_ = fifoCount_;
}

void Stream::finish(EventWriter& events) {
  GateEvent list[kGateEvents];
  report(list, gate_.flush(end(), list), events);
  forget();
}

void Stream::report(const GateEvent* list, std::size_t count, EventWriter& events) {
  for (std::size_t i = 0; i < count; ++i) {
    const GateEvent& event = list[i];
    if (event.kind == GateEvent::kOpen) {
      if (watched_ && need_ == AudioNeed::kUtterances) {
        events.write(handle_, EventKind::kOpen, static_cast<double>(event.first),
                     static_cast<double>(event.last), event.cut ? 1 : 0);
      }
      continue;
    }
    if (event.kind != GateEvent::kUtterance) {
      if (need_ == AudioNeed::kGated) {
        if (event.kind == GateEvent::kSpeechStart) {
          if (!gateOpen_) handedOut_ = std::max(handedOut_, gate_.retainFrom());
          gateOpen_ = true;
          gateEnd_ = -1;
        } else {
          gateEnd_ = std::max(handedOut_, event.first + kHangover);
        }
      }
      const EventKind kind =
          event.kind == GateEvent::kSpeechStart ? EventKind::kSpeechStart : EventKind::kSpeechEnd;
      events.write(handle_, kind, static_cast<double>(event.first), static_cast<double>(event.probability));
      continue;
    }
    if (need_ != AudioNeed::kUtterances) continue;
    const std::int64_t first = std::max(event.first, handedOut_);
    if (first >= event.speechEnd) continue;
    // At a flush, the utterance also contains the samples of an incomplete window.
    utterances_.push_back({recording_.copy(first, event.last, fifo_.data(), fifoCount_, kernels_), first,
                           std::max(first, event.speechStart), event.speechEnd, event.cut,
                           event.probability});
    events.write(handle_, EventKind::kUtterance, static_cast<double>(first), static_cast<double>(event.last),
                 event.cut ? 1 : 0);
  }
}

std::optional<Utterance> Stream::openUtterance() const {
  if (!gate_.announced() || need_ != AudioNeed::kUtterances) return std::nullopt;
  const GateEvent event = gate_.openUtterance();
  const std::int64_t first = std::max(event.first, handedOut_);
  if (first >= event.speechEnd) return std::nullopt;
  return Utterance{recording_.copy(first, event.last, fifo_.data(), fifoCount_, kernels_),
                   first,
                   std::max(first, event.speechStart),
                   event.speechEnd,
                   false,
                   event.probability};
}

void Stream::forget() {
  const std::int64_t needed = std::min(gate_.retainFrom(), gate_.position());
  switch (need_) {
    case AudioNeed::kUtterances:
      recording_.forget(std::max(needed, std::min(handedOut_, gate_.position())));
      return;
    case AudioNeed::kGated:
      recording_.forget(std::min(gateOpen_ ? handedOut_ : std::max(needed, handedOut_), gate_.position()));
      return;
    case AudioNeed::kEverything:
      recording_.forget(std::min(handedOut_, gate_.position()));
  }
}

void Stream::choose(AudioNeed need, std::size_t chunk) {
  chunk_ = std::max(chunk, kWindow);
  if (need == need_) return;
  if (need == AudioNeed::kEverything) wake();
  if (need_ == AudioNeed::kUtterances) {
    handedOut_ = std::max(handedOut_, std::min(gate_.retainFrom(), gate_.position()));
  }
  // The gate announces the end of speech only if it has announced the start. So gated audio is open only
  // during announced speech.
  gateOpen_ = need == AudioNeed::kGated && gate_.announced();
  gateEnd_ = -1;
  need_ = need;
  asides_.clear();
}

std::int64_t Stream::handOutEnd(bool all) const {
  std::int64_t end = all ? this->end() : gate_.position() - recording_.lookahead();
  if (need_ == AudioNeed::kGated) {
    if (!gateOpen_) return handedOut_;
    if (gateEnd_ >= 0) end = std::min(end, gateEnd_);
  }
  return std::max(end, handedOut_);
}

void Stream::setAside(std::int64_t next) {
  // While the gate is closed, no audio waits to be returned.
  if (need_ == AudioNeed::kUtterances || (need_ == AudioNeed::kGated && !gateOpen_)) return;
  const std::int64_t end = std::min(handOutEnd(true), gate_.position());
  if (end > handedOut_) {
    asides_.push_back({recording_.copy(handedOut_, end, nullptr, 0, kernels_), handedOut_});
  }
  handedOut_ = std::max(handedOut_, next);
}

bool Stream::handOut(EventWriter& events, AudioWriter& audio, bool all) {
  if (need_ == AudioNeed::kUtterances) return false;
  for (std::size_t pieces = 0; pieces < kPiecesPerWindow; ++pieces) {
    std::int64_t position = handedOut_;
    std::size_t length = 0;
    bool last = false;
    if (!asides_.empty()) {
      position = asides_.front().position;
      length = std::min(asides_.front().pcm.size(), chunk_);
    } else {
      const std::int64_t end = handOutEnd(all);
      const auto ready = static_cast<std::size_t>(end - handedOut_);
      const bool closes = gateOpen_ && gateEnd_ >= 0 && end == gateEnd_;
      length = ready >= chunk_ || all || closes ? std::min(ready, chunk_) : 0;
      last = closes && length == ready;
    }
    if (length == 0) {
      if (last) gateOpen_ = false;
      return false;
    }
    const std::size_t offset = audio.count();
    std::int16_t* out = events.space() > 0 ? audio.reserve(length) : nullptr;
    if (!out) return false;
    if (asides_.empty()) {
      recording_.copyTo(position, position + static_cast<std::int64_t>(length), fifo_.data(), fifoCount_,
                        kernels_, out);
      handedOut_ += static_cast<std::int64_t>(length);
      if (last) gateOpen_ = false;
    } else {
      Aside& aside = asides_.front();
      std::memcpy(out, aside.pcm.data(), length * sizeof(std::int16_t));
      aside.pcm.erase(aside.pcm.begin(), aside.pcm.begin() + static_cast<std::ptrdiff_t>(length));
      aside.position += static_cast<std::int64_t>(length);
      if (aside.pcm.empty()) asides_.pop_front();
    }
    events.write(handle_, EventKind::kAudio, static_cast<double>(position), static_cast<double>(offset),
                 static_cast<double>(length));
  }
  return true;
}

std::optional<Utterance> Stream::take() {
  if (utterances_.empty()) return std::nullopt;
  Utterance oldest = std::move(utterances_.front());
  utterances_.pop_front();
  return oldest;
}

std::uint32_t Stream::takeFaults() { return std::exchange(faults_, 0); }

std::uint32_t Stream::takeRefused() { return std::exchange(refusedUntold_, 0); }

std::size_t Stream::bytes() const {
  std::size_t total = sizeof *this + queue_.bytes();
  if (looks_) total += sizeof *looks_;
  total += ahead_.bytes();
  if (coded_) total += coded_->bytes();
  if (resampler_) total += resampler_->bytes();
  // The speech buffer counts only up to the limit of an idle stream. `speechBytes` counts its other bytes.
  return total + recording_.idleBytes();
}

std::size_t Stream::speechBytes() const {
  std::size_t bytes = recording_.speechBytes();
  for (const Utterance& utterance : utterances_) bytes += utterance.pcm.size() * sizeof(std::int16_t);
  return bytes;
}

}  // namespace cochlea
