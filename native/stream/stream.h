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
#include "resample/resampler.h"
#include "stream/budget.h"
#include "stream/frame-queue.h"
#include "stream/recording.h"
#include "vad/silero.h"

namespace cochlea {

enum class Codec : std::uint8_t { kPcm8 = 0, kPcm16 = 1, kOpus = 2, kAac = 3, kLc3 = 4, kLc3Fs1030 = 5 };

struct Format {
  Codec codec;
  /// Hz. Opus is decoded at 16 kHz whatever was declared; an AAC frame says its own.
  std::uint32_t rate;
  unsigned channels;
};

struct Utterance {
  std::vector<std::int16_t> pcm;
  std::int64_t start;
  std::int64_t speechStart;
  std::int64_t speechEnd;
  bool cut;
};

/// What a turn reports, in the order of CoreEvent of src/audio/interface/core.ts.
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

/// What a stream hands out: finished utterances, the audio around speech, or all audio.
enum class AudioNeed : std::uint8_t { kUtterances = 0, kGated = 1, kEverything = 2 };

/// Writes events into memory the caller owns; never past its end.
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

/// Writes samples into memory the caller owns; never past its end.
class AudioWriter {
 public:
  AudioWriter(std::int16_t* out, std::size_t capacity) : out_(out), capacity_(capacity) {}

  /// @returns where `length` samples may be written, or null when there is no space
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

/// One stream: its frame queue, decoder, resampler, detector state, gate, and the audio that an utterance may
/// still need. Its clock counts samples at 16 kHz since it opened. Dropped frames count too, so that
/// positions keep to the time of the wearer.
///
/// PCM and LC3 of 8 kHz go as they are to the detector's 8 kHz model, and are resampled only where speech is
/// handed out. All else is resampled to 16 kHz: an AAC frame may change its rate at any time, and packets of
/// Opus often hold more than was declared.
class Stream {
 public:
  /// Most pieces of audio that `handOut` writes at a time.
  static constexpr std::size_t kPiecesPerWindow = 3;
  /// Most events of one window: a burst of drops, the end of speech inside the gap, what the gate says, and
  /// audio.
  static constexpr std::size_t kEventsPerWindow = 2 * kGateEvents + 1 + kPiecesPerWindow;
  /// Gated audio goes on for this long after speech, in samples at 16 kHz.
  static constexpr std::int64_t kHangover = 64000;
  /// Largest frame looked at; a longer one is invalid.
  static constexpr std::size_t kMaxFrame = 512 * 1024;

  /// @param queueMs undecoded audio kept, in ms
  /// @param budget how much audio it may send; without one, any
  Stream(std::uint32_t handle, const Format& format, const GateOptions& gate, std::uint32_t queueMs,
         const Kernels& kernels, const BudgetOptions& budget = {});

  /// @returns false when the decoder cannot be made
  bool init();

  /// Takes a copy of a frame. What cannot be a frame of the codec, or is over the budget, is counted, not
  /// kept.
  /// @param arrival when it came, in the caller's unit
  /// @param now ms, for the budget
  void push(const std::uint8_t* bytes, std::size_t length, std::uint32_t arrival = 0, double now = 0);

  /// Frames were lost on their way here: they are a gap before the next frame that is taken. Coded ones are
  /// taken to have lasted as long as that frame.
  /// @param bytes of all of them together
  void lose(std::size_t frames, std::size_t bytes);

  /// Chooses what the stream hands out from here on; utterances unless told. An utterance that is open then
  /// begins where handing out audio ended.
  /// @param chunk samples of a piece of audio, at least a window
  void choose(AudioNeed need, std::size_t chunk);

  /// Writes audio that is due, in pieces of `chunk` samples, at most `kPiecesPerWindow` of them, each with an
  /// event. What has no space is written by a later call.
  /// @param all also a last piece that is shorter
  /// @returns whether there may be more
  bool handOut(EventWriter& events, AudioWriter& audio, bool all = false);

  /// Number of complete windows that are decoded already, or will be once the frame queue is decoded.
  std::size_t windowsReady() const;

  /// Decodes until a window is complete.
  /// @returns false when the frame queue has not enough audio for one
  bool fill(EventWriter& events);

  /// Whether the 8 kHz model of the detector takes this stream's audio.
  bool narrow() const { return variant_.rate == kNarrowVariant.rate; }

  /// The complete window, at the rate of the detector's model. Valid only after `fill` has returned true.
  const std::int16_t* window() const { return fifo_.data(); }

  /// Arrival of the frame that completed the window; of a window that a gap completed, that of the frame
  /// after the gap.
  std::uint32_t arrival() const { return arrival_; }

  /// Gives the window's probability to the gate and moves on.
  void advance(float probability, EventWriter& events);

  /// Ends the open utterance. All complete windows must have been advanced over.
  void finish(EventWriter& events);

  /// Has the gate's open utterances told of, or not.
  void watch(bool on) { watched_ = on; }

  /// A copy of the open utterance so far; none while no speech is open that was announced.
  std::optional<Utterance> openUtterance() const;

  /// Oldest complete utterance.
  std::optional<Utterance> take();

  /// Invalid frames since the last call.
  std::uint32_t takeFaults();

  /// Frames over the budget since the last call.
  std::uint32_t takeRefused();

  /// Whether there are invalid frames, or frames over the budget, to tell of.
  bool hasFaults() const { return faults_ > 0 || refusedUntold_ > 0; }
  VadState& vad() { return vad_; }
  std::uint32_t handle() const { return handle_; }
  std::int64_t position() const {
    return gate_.position() + static_cast<std::int64_t>(fifoCount_ * (kWindow / variant_.window));
  }
  bool speaking() const { return gate_.speaking(); }
  /// Bytes of memory held for this stream, without the speech buffer.
  std::size_t bytes() const;
  /// Bytes of memory held for speech: the open utterance, and the utterances that were not taken yet.
  std::size_t speechBytes() const;
  std::uint64_t decoded() const { return decoded_; }
  std::uint64_t invalid() const { return invalid_; }
  std::uint64_t dropped() const { return dropped_; }
  std::uint64_t overBudget() const { return overBudget_; }

 private:
  /// A run of frames, one after the other, that the budget refused or that were lost on their way here.
  struct Refused {
    std::size_t frames = 0;
    std::size_t units = 0;
    std::size_t bytes = 0;
  };

  /// Called when the stream is decoded again: the refused frames become a gap after the last frame of the
  /// queue.
  void resume();
  /// `count` frames have left the frame queue at its front.
  void passed(std::size_t count);
  /// Called when every frame before the refused ones is decoded: adds them to the gap that is bridged next.
  void openRefused();
  void decodeFront();
  void decodeCoded(const FrameQueue::Frame& frame);
  void bridgeGap(EventWriter& events);
  std::size_t bridgeCoded();
  /// Samples at the end of the gap of which the frame after the gap carries a copy.
  std::size_t restorable() const;
  /// Sets the rate of the decoded samples, and everything that is computed from that rate.
  void setRate(std::uint32_t rate);
  void skipSilence(EventWriter& events);
  void append(const std::int16_t* source, std::size_t count);
  /// Position up to which audio may be handed out.
  std::int64_t handOutEnd(bool all) const;
  /// Called before silence is skipped: keeps audio that was not handed out, so that the skipped silence never
  /// is.
  void setAside(std::int64_t next);
  void report(const GateEvent* list, std::size_t count, EventWriter& events);
  std::size_t unitsToSamples(std::size_t units) const;
  void forget();

  std::uint32_t handle_;
  const Kernels& kernels_;
  /// A stream has one of these two: `pcm_` for raw PCM, `coded_` for every other codec.
  std::optional<PcmDecoder> pcm_;
  std::unique_ptr<FrameDecoder> coded_;
  FrameQueue queue_;
  Budget budget_;
  /// Ms that one unit of the frame queue lasts.
  double unitMs_;
  /// Hz of the decoded samples, before they are resampled.
  std::uint32_t rate_ = 0;
  /// Units of the frame queue that one decoded sample lasts.
  std::size_t sampleUnits_ = 1;
  std::optional<Resampler> resampler_;
  /// The detector's model for this stream's audio: the one for 8 kHz or the one for 16 kHz.
  const SileroVariant& variant_;
  VadState vad_;
  Gate gate_;

  /// Samples that are decoded and that the detector has not seen yet. Space for less than a window, one
  /// frame, and the samples that the resampler adds.
  std::array<std::int16_t, kWindow + FrameDecoder::kMaxAt16k + 64> fifo_{};
  std::size_t fifoCount_ = 0;
  /// Arrival of the frame that was decoded last.
  std::uint32_t arrival_ = 0;

  /// Audio up to the gate's position.
  Recording recording_;

  std::deque<Utterance> utterances_;

  /// A piece of audio that lies before silence which was skipped.
  struct Aside {
    std::vector<std::int16_t> pcm;
    std::int64_t position;
  };
  AudioNeed need_ = AudioNeed::kUtterances;
  bool watched_ = false;
  std::size_t chunk_ = 0;
  /// Position up to which audio was handed out. An utterance does not begin before it.
  std::int64_t handedOut_ = 0;
  /// Of gated audio: whether it is handed out now, and where that ends, or -1 while speech lasts.
  bool gateOpen_ = false;
  std::int64_t gateEnd_ = -1;
  std::deque<Aside> asides_;

  /// Dropped audio that is not bridged yet, in units of the frame queue; `gapFrames_` counts the frames of it
  /// that no event has reported.
  std::size_t gapUnits_ = 0;
  std::size_t gapFrames_ = 0;
  std::size_t concealable_ = 0;
  /// Units of the gap that were concealed and went through the detector.
  std::size_t bridged_ = 0;
  /// A long gap is skipped in steps of this many whole windows, which last a whole number of units,
  /// `skipUnits_`.
  std::size_t skipWindows_ = 1;
  std::size_t skipUnits_ = 0;

  std::uint64_t decoded_ = 0;
  std::uint64_t invalid_ = 0;
  std::uint64_t dropped_ = 0;
  std::uint64_t overBudget_ = 0;
  std::uint32_t faults_ = 0;
  std::uint32_t refusedUntold_ = 0;

  /// Frames lost on their way here since the last frame; without units, because nothing says yet how long
  /// they lasted.
  Refused lost_;
  /// Frames refused, or lost, since the stream was last decoded.
  Refused refused_;
  /// Frames refused before that. They become a gap when the first `aheadOfGap_` frames of the queue are
  /// decoded.
  Refused later_;
  std::size_t aheadOfGap_ = 0;
};

}  // namespace cochlea
