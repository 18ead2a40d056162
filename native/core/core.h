#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "gate/gate.h"
#include "kernel/kernels.h"
#include "stream/stream.h"
#include "vad/silero.h"

namespace cochlea {

struct CoreOptions {
  GateOptions gate;
  /// Maximum undecoded audio of a stream, in ms.
  std::uint32_t frameQueue;
  std::uint32_t turnWindows;
  /// Maximum time in ms that a complete window waits for a turn.
  double turnDeadline;
  std::uint32_t maxStreams;
  /// Audio budget of each stream.
  BudgetOptions budget = {};
  /// If true, streams skip frames that are surely silent instead of decoding them. Default: false.
  bool rests = false;
  /// Number of samples at 16 kHz in a piece of returned audio.
  std::size_t audioChunk = 1600;
};

struct StreamStatus {
  double position;
  /// Position up to which the detector has decided.
  double decided;
  /// Position of the first sample that an utterance may still contain.
  double needed;
  bool speaking;
  double bytes;
  double speechBytes;
  double decoded;
  double invalid;
  double dropped;
  double overBudget;
  double skipped;
};

/// Writes the decided windows into memory that the caller owns. The first number is the number of windows.
/// Each further number is the arrival of the frame that completed a window.
class DecisionWriter {
 public:
  /// @param capacity size of `out` in numbers, at least one
  DecisionWriter(std::uint32_t* out, std::size_t capacity) : out_(out), space_(capacity - 1) { out_[0] = 0; }

  void write(std::uint32_t arrival) {
    if (space_ == 0) return;
    --space_;
    out_[++out_[0]] = arrival;
  }

  std::size_t space() const { return space_; }

 private:
  std::uint32_t* out_;
  std::size_t space_;
};

/// All streams of one thread. `push` copies frames into the core. `turn` decodes, detects and gates. The
/// detector processes windows of several streams together. AudioCore in src/audio/interface/core.ts
/// describes each call.
class Core {
 public:
  /// Number of values of one frame in a batch of `push`: handle, offset, length, arrival.
  static constexpr std::size_t kBatchStride = 4;

  enum class OpenResult : std::uint8_t { kOpened = 0, kBadHandle = 1, kNoDecoder = 2 };

  /// @param memory contains the frames; must exist as long as the core
  Core(const CoreOptions& options, const std::uint8_t* memory, std::size_t memoryLength,
       const std::shared_ptr<const SileroModel>& model, const Kernels& kernels);

  OpenResult open(std::uint32_t handle, const Format& format);
  void push(const std::uint32_t* batch, std::size_t count, double now) {
    push(batch, count, now, memory_, memoryLength_);
  }
  /// @param memory contains these frames; not used after the function returns
  void push(const std::uint32_t* batch, std::size_t count, double now, const std::uint8_t* memory,
            std::size_t memoryLength);
  void lose(std::uint32_t handle, std::size_t frames, std::size_t bytes);
  void turn(double now, bool force, EventWriter& events, DecisionWriter& decided) {
    turn(now, force, events, decided, noAudio_);
  }
  void turn(double now, bool force, EventWriter& events, DecisionWriter& decided, AudioWriter& audio);
  double due(double now) const;
  void flush(std::uint32_t handle, EventWriter& events, DecisionWriter& decided) {
    flush(handle, events, decided, noAudio_);
  }
  void flush(std::uint32_t handle, EventWriter& events, DecisionWriter& decided, AudioWriter& audio);
  /// Sets which audio of a stream is returned.
  void choose(std::uint32_t handle, AudioNeed need);
  /// Returns the number of samples of space in `AudioWriter` that a turn needs to make progress.
  static std::size_t audioSpace(const CoreOptions& options) {
    return Silero::kBatch * Stream::kPiecesPerWindow * std::max(options.audioChunk, kWindow);
  }
  std::optional<Utterance> takeUtterance(std::uint32_t handle);
  /// Enables or disables the events about a stream's open utterances.
  void watch(std::uint32_t handle, bool on);
  /// Sets whether the utterances of a stream end only after the gate's `longSilence`.
  void linger(std::uint32_t handle, bool on);
  std::optional<Utterance> openUtterance(std::uint32_t handle);
  void close(std::uint32_t handle);
  StreamStatus status(std::uint32_t handle) const;

 private:
  struct Slot {
    std::unique_ptr<Stream> stream;
    /// Time at which the stream's first waiting window became complete. Valid only while `queued` is true.
    double since = 0;
    bool queued = false;
    bool faulty = false;
  };

  /// Streams that use the same model of the detector. Their windows are processed together.
  struct ModelGroup {
    Silero silero;
    /// Handles of the streams with a complete window, in the order in which the windows became complete.
    std::vector<std::uint32_t> ready;
  };

  Slot* find(std::uint32_t handle);
  ModelGroup& groupOf(const Slot& slot) { return slot.stream->narrow() ? narrow_ : wide_; }
  /// Reports invalid frames and frames over the budget.
  void reportFaults(Stream& stream, EventWriter& events);
  void note(std::uint32_t handle, Slot& slot, double now);
  /// Processes one window of each ready stream, unless the caller's memory for events, decisions or audio
  /// is full.
  void sweep(ModelGroup& group, double now, EventWriter& events, DecisionWriter& decided, AudioWriter& audio);
  void detect(Silero& silero, const std::uint32_t* handles, std::size_t count, EventWriter& events,
              DecisionWriter& decided, AudioWriter& audio);
  /// Passes the probability of a stream's complete window to the stream, and writes the audio that is then
  /// due.
  static void decide(Stream& stream, float probability, EventWriter& events, DecisionWriter& decided,
                     AudioWriter& audio);
  void drop(std::vector<std::uint32_t>& list, std::uint32_t handle);

  CoreOptions options_;
  const std::uint8_t* memory_;
  std::size_t memoryLength_;
  const Kernels& kernels_;
  ModelGroup wide_;
  ModelGroup narrow_;
  std::vector<Slot> slots_;
  /// Handles of the streams with faults to report.
  std::vector<std::uint32_t> faulty_;
  /// Time of the first fault that was not reported yet.
  double faultySince_ = 0;
  /// Whether the last turn ran out of space for events or decisions.
  bool stopped_ = false;
  /// Writer without space. It is used if the caller passes no memory for audio, because such a caller needs
  /// only utterances.
  AudioWriter noAudio_{nullptr, 0};
  /// Whether `choose` was ever called with another choice than utterances.
  bool audioChosen_ = false;
};

}  // namespace cochlea
