#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "codec/frame-decoder.h"
#include "codec/pcm.h"
#include "gate/gate.h"
#include "kernel/kernels.h"
#include "look/opus-look.h"
#include "look/quiet.h"
#include "resample/resampler.h"
#include "stream/ahead.h"
#include "stream/budget.h"
#include "stream/frame-queue.h"
#include "stream/recording.h"
#include "vad/silero.h"

namespace cochlea {

enum class Codec : std::uint8_t { kPcm8 = 0, kPcm16 = 1, kOpus = 2, kAac = 3, kLc3 = 4, kLc3Fs1030 = 5 };

struct Format {
  Codec codec;
  /// Sample rate in Hz. Opus is always decoded at 16 kHz. Each AAC frame declares its own rate.
  std::uint32_t rate;
  unsigned channels;
};

struct Utterance {
  std::vector<std::int16_t> pcm;
  std::int64_t start;
  std::int64_t speechStart;
  std::int64_t speechEnd;
  bool cut;
  /// Mean probability of the detector: see `GateEvent::probability`.
  float probability;
};

/// Events of a turn, with the values of CoreEvent in src/audio/interface/core.ts.
enum class EventKind : std::uint8_t {
  kSpeechStart = 1,
  kSpeechEnd,
  kUtterance,
  kInvalidFrames,
  kDropped,
  kOverBudget,
  kAudio,
  kOpen
};

/// Kind of audio that a stream returns: finished utterances, the audio around speech, or all audio.
enum class AudioNeed : std::uint8_t { kUtterances = 0, kGated = 1, kEverything = 2 };

/// Writes events into memory that the caller owns, never past its end.
class EventWriter {
 public:
  static constexpr std::size_t kStride = 5;

  EventWriter(double* out, std::size_t capacity) : out_(out), capacity_(capacity) {}

  void write(std::uint32_t handle, EventKind kind, double a, double b = 0, double c = 0) {
    if (count_ == capacity_) return;
    double* event = out_ + kStride * count_++;
    event[0] = handle;
    event[1] = static_cast<double>(kind);
    event[2] = a;
    event[3] = b;
    event[4] = c;
  }

  std::size_t count() const { return count_; }
  std::size_t space() const { return capacity_ - count_; }

 private:
  double* out_;
  std::size_t capacity_;
  std::size_t count_ = 0;
};

/// Writes samples into memory that the caller owns, never past its end.
class AudioWriter {
 public:
  AudioWriter(std::int16_t* out, std::size_t capacity) : out_(out), capacity_(capacity) {}

  /// Reserves space for `length` samples. @returns the space, or null if there is not enough
  std::int16_t* reserve(std::size_t length) {
    if (length > space()) return nullptr;
    std::int16_t* at = out_ + count_;
    count_ += length;
    return at;
  }

  std::size_t count() const { return count_; }
  std::size_t space() const { return capacity_ - count_; }

 private:
  std::int16_t* out_;
  std::size_t capacity_;
  std::size_t count_ = 0;
};

/// One audio stream. It consists of a frame queue, a decoder, a resampler, the state of the detector, a
/// gate, and the audio that an utterance may still need. The stream's clock counts samples at 16 kHz since
/// the stream opened. Dropped frames also count, so that positions match the wearer's time.
///
/// The detector's 8 kHz model takes PCM and LC3 of 8 kHz directly, so only returned speech is resampled.
/// All other audio is resampled to 16 kHz. An AAC frame may change its rate at any time, and Opus packets
/// often contain a wider band than declared.
class Stream {
 public:
  /// Maximum number of pieces of audio that one `handOut` writes.
  static constexpr std::size_t kPiecesPerWindow = 3;
  /// Maximum number of events of one window: a report of dropped frames, the end of speech inside their gap,
  /// the gate's events for the window, and pieces of audio.
  static constexpr std::size_t kEventsPerWindow = 2 * kGateEvents + 1 + kPiecesPerWindow;
  /// Number of samples at 16 kHz for which gated audio continues after speech.
  static constexpr std::int64_t kHangover = 64000;
  /// Audio that is decoded when the stream wakes, only to make the decoder's state exact, in samples at 16
  /// kHz: 80 ms. Without it, the levels of the first frames would be wrong, and the detector would remember
  /// them.
  static constexpr std::size_t kPrime = 1280;
  /// Audio of a resting stream that is held undecoded, in samples at 16 kHz: 980 ms. It is decoded when the
  /// stream wakes. It is the sum of `kPrime`, the windows of `Ahead`, and 260 ms that may pass from an onset
  /// until the onset stirs the stream.
  static constexpr std::size_t kHold = kPrime + Ahead::kWindows * kWindow + 4160;
  /// Maximum number of bytes of a frame. A longer frame is invalid.
  static constexpr std::size_t kMaxFrame = 512 * 1024;

  /// @param queueMs maximum undecoded audio, in ms
  /// @param budget limit of the stream's audio; no limit by default
  /// @param rests if true, frames that are surely silent are skipped instead of decoded, for codecs that
  /// allow it
  Stream(std::uint32_t handle, const Format& format, const GateOptions& gate, std::uint32_t queueMs,
         const Kernels& kernels, const BudgetOptions& budget = {}, bool rests = false);

  /// Creates the decoder. @returns false if it cannot be created
  bool init();

  /// Copies a frame into the queue. A frame that is impossible for the codec, or over the budget, is only
  /// counted.
  /// @param arrival time of arrival, in the caller's unit
  /// @param now time in ms, for the budget
  void push(const std::uint8_t* bytes, std::size_t length, std::uint32_t arrival = 0, double now = 0);

  /// Records frames that were lost before they reached the stream. They become a gap before the next accepted
  /// frame. Each lost coded frame counts with the duration of the accepted frame.
  /// @param bytes total number of bytes of the lost frames
  void lose(std::size_t frames, std::size_t bytes);

  /// Sets the kind of audio that the stream returns from now on. The default is utterances. If an utterance
  /// is open, it then begins at the end of the audio that was already returned.
  /// @param chunk number of samples in a piece of audio, at least a window
  void choose(AudioNeed need, std::size_t chunk);

  /// Writes the audio that is due, in pieces of `chunk` samples (see `choose`) with one event each. It writes
  /// at most `kPiecesPerWindow` pieces. A later call writes the pieces for which there was no space.
  /// @param all whether to write a shorter last piece too
  /// @returns whether more audio may be due
  bool handOut(EventWriter& events, AudioWriter& audio, bool all = false);

  /// Returns the number of complete windows in the decoded audio, the gaps and the frame queue together.
  std::size_t windowsReady() const;

  /// Decodes until a window is complete.
  /// @returns false if the frame queue has too little audio for a window
  bool fill(EventWriter& events);

  /// Whether the 8 kHz model of the detector processes this stream's audio.
  bool narrow() const { return variant_.rate == kNarrowVariant.rate; }

  /// Returns the complete window, at the rate of the detector's model. Valid only after `fill` has returned
  /// true.
  const std::int16_t* window() const { return fifo_.data(); }

  /// Whether all frames of the complete window were surely silent. Its probability is 0.
  bool silent() const { return blank_ >= variant_.window; }

  /// Returns the probability of the complete window if the detector need not process it now: the window is
  /// silent, or it was processed ahead.
  std::optional<float> known(Silero& silero) {
    if (silent()) return 0.0f;
    return ahead_.probability(silero, vad_);
  }

  /// Whether the stream rests: frames that are surely silent are skipped instead of decoded.
  bool resting() const { return resting_; }

  /// Makes a resting stream decode again. The held frames and all later frames are decoded, until the stream
  /// is surely silent again.
  void wake();

  /// Returns the arrival of the frame that completed the window. If a gap completed it, this is the arrival
  /// of the frame after the gap.
  std::uint32_t arrival() const { return arrival_; }

  /// Passes the window's probability to the gate, and advances to the next window.
  void advance(float probability, EventWriter& events);

  /// Ends the open utterance. `advance` must have processed all complete windows.
  void finish(EventWriter& events);

  /// Enables or disables the gate's events about open utterances.
  void watch(bool on) { watched_ = on; }

  /// Sets whether utterances end only after the gate's `longSilence`.
  void linger(bool on) { gate_.linger(on); }

  /// Returns a copy of the open utterance so far. Returns no utterance unless announced speech is open.
  std::optional<Utterance> openUtterance() const;

  /// Removes and returns the oldest complete utterance.
  std::optional<Utterance> take();

  /// Returns the number of invalid frames since the last call.
  std::uint32_t takeFaults();

  /// Returns the number of frames over the budget since the last call.
  std::uint32_t takeRefused();

  /// Whether there are unreported invalid frames or frames over the budget.
  bool hasFaults() const { return faults_ > 0 || refusedUntold_ > 0; }
  VadState& vad() { return vad_; }
  std::uint32_t handle() const { return handle_; }
  /// Returns the position of the end of the audio that was decoded or skipped, or is held.
  std::int64_t position() const { return end() + static_cast<std::int64_t>(heldUnits()); }
  /// Returns the position up to which the detector has decided.
  std::int64_t decided() const { return gate_.position(); }
  /// Returns the position of the first sample that an utterance may still contain.
  std::int64_t needed() const { return std::min(gate_.retainFrom(), gate_.position()); }
  bool speaking() const { return gate_.speaking(); }
  /// Returns the number of bytes of memory of this stream, without the speech buffer.
  std::size_t bytes() const;
  /// Returns the number of bytes of memory for speech: the open utterance, and the utterances that `take`
  /// has not returned yet.
  std::size_t speechBytes() const;
  std::uint64_t decoded() const { return decoded_; }
  std::uint64_t invalid() const { return invalid_; }
  std::uint64_t dropped() const { return dropped_; }
  std::uint64_t overBudget() const { return overBudget_; }
  /// Returns the number of frames that were surely silent and therefore skipped. `decoded` counts them, too.
  std::uint64_t skipped() const { return skipped_; }

 private:
  /// A run of consecutive frames that the budget refused, or that were lost before they reached the stream.
  struct Refused {
    std::size_t frames = 0;
    std::size_t units = 0;
    std::size_t bytes = 0;
  };

  /// Converts the refused frames to a gap after the last frame of the queue. Called when the stream accepts
  /// a frame again.
  void resume();
  /// Records that `count` frames have left the front of the frame queue.
  void passed(std::size_t count);
  /// Adds the refused frames of `later_` to the gap that is bridged next. Called when all frames before them
  /// are decoded.
  void openRefused();
  /// Position of the end of the decoded and skipped audio.
  std::int64_t end() const {
    return gate_.position() +
           static_cast<std::int64_t>(fifoCount_ * (kWindow / variant_.window) + ahead_.left());
  }
  /// Number of units that the stream holds while it rests. After it has woken: number of held units that are
  /// not decoded yet.
  std::size_t heldUnits() const { return resting_ ? queue_.units() : heldUnits_; }
  /// Reads the loudness of a pushed frame without decoding it (see `Look`), and wakes the stream if the frame
  /// may contain speech.
  void look(const std::uint8_t* bytes, std::size_t length, std::size_t units);
  /// Whether the stream may rest now.
  bool mayRest() const;
  /// Replaces the oldest frame of the queue by silence.
  void skipFront();
  /// Decodes the first held frames after the stream has woken.
  void decodeAfterRest();
  void decodeFront();
  void decodeCoded(const FrameQueue::Frame& frame);
  void bridgeGap(EventWriter& events);
  std::size_t bridgeCoded();
  /// Returns the number of samples at the end of the gap that the next frame can restore.
  std::size_t restorable() const;
  /// Sets the rate of the decoded samples, and all values that depend on it.
  void setRate(std::uint32_t rate);
  void skipSilence(EventWriter& events);
  void append(const std::int16_t* source, std::size_t count);
  /// Returns the position up to which audio may be returned.
  std::int64_t handOutEnd(bool all) const;
  /// Stores audio that was not returned yet. Called before silence is skipped, so that the skipped silence
  /// itself is never returned.
  void setAside(std::int64_t next);
  void report(const GateEvent* list, std::size_t count, EventWriter& events);
  std::size_t unitsToSamples(std::size_t units) const;
  void forget();

  std::uint32_t handle_;
  const Kernels& kernels_;
  /// Each stream has exactly one of these two decoders. `pcm_` decodes raw PCM, and `coded_` decodes every
  /// other codec.
  std::optional<PcmDecoder> pcm_;
  std::unique_ptr<FrameDecoder> coded_;
  FrameQueue queue_;
  Budget budget_;
  /// Duration of one unit of the frame queue, in ms.
  double unitMs_;
  /// Rate of the decoded samples in Hz, before they are resampled.
  std::uint32_t rate_ = 0;
  /// Duration of one decoded sample, in units of the frame queue.
  std::size_t sampleUnits_ = 1;
  std::optional<Resampler> resampler_;
  /// The detector's model for this stream's audio: the 8 kHz or the 16 kHz model.
  const SileroVariant& variant_;
  VadState vad_;
  Gate gate_;

  /// Decoded samples that the detector has not processed yet. There is space for an incomplete window, one
  /// frame, and the samples that the resampler adds.
  std::array<std::int16_t, kWindow + FrameDecoder::kMaxAt16k + 64> fifo_{};
  std::size_t fifoCount_ = 0;
  /// Arrival of the last decoded frame.
  std::uint32_t arrival_ = 0;

  /// Audio up to the position of the gate.
  Recording recording_;

  std::deque<Utterance> utterances_;

  /// A piece of audio that precedes skipped silence.
  struct Aside {
    std::vector<std::int16_t> pcm;
    std::int64_t position;
  };
  AudioNeed need_ = AudioNeed::kUtterances;
  bool watched_ = false;
  std::size_t chunk_ = 0;
  /// Position up to which audio was returned. No utterance begins before it.
  std::int64_t handedOut_ = 0;
  /// State of gated audio. `gateOpen_`: whether gated audio is returned now. `gateEnd_`: position up to which
  /// it is returned; -1 during speech.
  bool gateOpen_ = false;
  std::int64_t gateEnd_ = -1;
  std::deque<Aside> asides_;

  /// `gapUnits_`: length of the dropped audio that is not bridged yet, in units of the frame queue.
  /// `gapFrames_`: number of its frames that no event has reported.
  std::size_t gapUnits_ = 0;
  std::size_t gapFrames_ = 0;
  std::size_t concealable_ = 0;
  /// Number of units of the gap that were concealed and processed by the detector.
  std::size_t bridged_ = 0;
  /// A long gap is skipped in steps of `skipWindows_` complete windows. The duration of a step is a whole
  /// number of units, `skipUnits_`.
  std::size_t skipWindows_ = 1;
  std::size_t skipUnits_ = 0;

  /// `looks_` decides when the stream rests; null if the stream never rests. `blank_`: number of samples at
  /// the front of `fifo_` that count as silent. `skippedUnits_`: units skipped while the stream last rested,
  /// until the next audio is decoded. `primeUnits_`: units to be decoded only to make the decoder exact.
  /// `heldUnits_`: units of frames that were held when the stream woke, and are not decoded yet.
  /// `heldArrival_`: arrival of the newest frame. All held frames get the arrival of the frame that woke the
  /// stream, so `heldArrival_` does not change while they wait to be decoded.
  struct Looks {
    OpusLook opus;
    Quiet quiet;
  };
  std::unique_ptr<Looks> looks_;
  bool resting_ = false;
  std::size_t blank_ = 0;
  std::size_t skippedUnits_ = 0;
  std::size_t primeUnits_ = 0;
  Ahead ahead_;
  std::size_t heldUnits_ = 0;
  std::uint32_t heldArrival_ = 0;
  std::uint64_t skipped_ = 0;

  std::uint64_t decoded_ = 0;
  std::uint64_t invalid_ = 0;
  std::uint64_t dropped_ = 0;
  std::uint64_t overBudget_ = 0;
  std::uint32_t faults_ = 0;
  std::uint32_t refusedUntold_ = 0;

  /// Frames that `lose` has reported since the last accepted frame. Their duration is not known before the
  /// next frame arrives, so `units` is not used.
  Refused lost_;
  /// Frames that were refused or lost since the last accepted frame.
  Refused refused_;
  /// Refused frames that follow the first `aheadOfGap_` frames of the queue. They become a gap when
  /// these first frames have been decoded.
  Refused later_;
  std::size_t aheadOfGap_ = 0;
};

}  // namespace cochlea
