#include "core/core.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace cochlea {
namespace {

/// Maximum number of events of `reportFaults`.
constexpr std::size_t kFaultEvents = 2;

}  // namespace

Core::Core(const CoreOptions& options, const std::uint8_t* memory, std::size_t memoryLength,
           const std::shared_ptr<const SileroModel>& model, const Kernels& kernels)
    : options_(options),
      memory_(memory),
      memoryLength_(memoryLength),
      kernels_(kernels),
      wide_{Silero(SileroModel::wideOf(model), kernels), {}},
      narrow_{Silero(SileroModel::narrowOf(model), kernels), {}},
      slots_(options.maxStreams) {}

Core::Slot* Core::find(std::uint32_t handle) {
  return handle < slots_.size() && slots_[handle].stream ? &slots_[handle] : nullptr;
}

Core::OpenResult Core::open(std::uint32_t handle, const Format& format) {
  if (handle >= slots_.size() || slots_[handle].stream) return OpenResult::kBadHandle;
  auto stream = std::make_unique<Stream>(handle, format, options_.gate, options_.frameQueue, kernels_,
                                         options_.budget, options_.rests);
  if (!stream->init()) return OpenResult::kNoDecoder;
  slots_[handle] = {std::move(stream), 0, false, false};
  return OpenResult::kOpened;
}

void Core::push(const std::uint32_t* batch, std::size_t count, double now, const std::uint8_t* memory,
                std::size_t memoryLength) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t* frame = batch + kBatchStride * i;
    const std::uint32_t handle = frame[0];
    const std::size_t offset = frame[1];
    const std::size_t length = frame[2];
    Slot* slot = find(handle);
    if (!slot || offset > memoryLength || length > memoryLength - offset) continue;
    slot->stream->push(memory + offset, length, frame[3], now);
    note(handle, *slot, now);
  }
}

void Core::lose(std::uint32_t handle, std::size_t frames, std::size_t bytes) {
  if (Slot* slot = find(handle)) slot->stream->lose(frames, bytes);
}

void Core::note(std::uint32_t handle, Slot& slot, double now) {
  if (!slot.queued && slot.stream->windowsReady() > 0) {
    slot.queued = true;
    slot.since = now;
    groupOf(slot).ready.push_back(handle);
  }
  if (!slot.faulty && slot.stream->hasFaults()) {
    slot.faulty = true;
    if (faulty_.empty()) faultySince_ = now;
    faulty_.push_back(handle);
  }
}

double Core::due(double now) const {
  if (stopped_) return 0;
  double oldest = std::numeric_limits<double>::infinity();
  if (!faulty_.empty()) oldest = faultySince_;
  std::size_t windows = 0;
  for (const ModelGroup* group : {&wide_, &narrow_}) {
    for (const std::uint32_t handle : group->ready) {
      windows += slots_[handle].stream->windowsReady();
      if (windows >= options_.turnWindows) return 0;
    }
    if (!group->ready.empty()) oldest = std::min(oldest, slots_[group->ready.front()].since);
  }
  return std::max(0.0, oldest + options_.turnDeadline - now);
}

void Core::turn(double now, bool force, EventWriter& events, DecisionWriter& decided, AudioWriter& audio) {
  if (!force && due(now) > 0) return;
  stopped_ = false;
  // Each sweep processes one window of each stream, so the windows of a stream stay in order.
  while (!wide_.ready.empty() || !narrow_.ready.empty()) {
    for (ModelGroup* group : {&wide_, &narrow_}) sweep(*group, now, events, decided, audio);
    if (stopped_) return;
  }
  while (!faulty_.empty() && events.space() >= kFaultEvents) {
    Slot& slot = slots_[faulty_.back()];
    slot.faulty = false;
    reportFaults(*slot.stream, events);
    faulty_.pop_back();
  }
}

void Core::reportFaults(Stream& stream, EventWriter& events) {
  if (const std::uint32_t faults = stream.takeFaults()) {
    events.write(stream.handle(), EventKind::kInvalidFrames, faults);
  }
  if (const std::uint32_t refused = stream.takeRefused()) {
    events.write(stream.handle(), EventKind::kOverBudget, refused);
  }
}

void Core::sweep(ModelGroup& group, double now, EventWriter& events, DecisionWriter& decided,
                 AudioWriter& audio) {
  const std::size_t audioNeeded = audioChosen_ ? audioSpace(options_) : 0;
  std::vector<std::uint32_t>& ready = group.ready;
  std::size_t kept = 0;
  std::size_t at = 0;
  while (at < ready.size() && events.space() >= Silero::kBatch * Stream::kEventsPerWindow &&
         decided.space() >= Silero::kBatch && audio.space() >= audioNeeded) {
    const std::size_t count = std::min(Silero::kBatch, ready.size() - at);
    detect(group.silero, ready.data() + at, count, events, decided, audio);
    for (std::size_t i = at; i < at + count; ++i) {
      Slot& slot = slots_[ready[i]];
      if (slot.stream->windowsReady() > 0) {
        slot.since = now;
        ready[kept++] = ready[i];
      } else {
        slot.queued = false;
      }
      if (!slot.faulty && slot.stream->hasFaults()) {
        slot.faulty = true;
        faulty_.push_back(slot.stream->handle());
      }
    }
    at += count;
  }
  if (at < ready.size()) stopped_ = true;
  ready.erase(ready.begin() + static_cast<std::ptrdiff_t>(kept),
              ready.begin() + static_cast<std::ptrdiff_t>(at));
}

void Core::detect(Silero& silero, const std::uint32_t* handles, std::size_t count, EventWriter& events,
                  DecisionWriter& decided, AudioWriter& audio) {
  std::array<Stream*, Silero::kBatch> streams;
  std::array<VadState*, Silero::kBatch> states{};
  std::array<const std::int16_t*, Silero::kBatch> windows{};
  std::array<float, Silero::kBatch> probabilities{};
  std::size_t filled = 0;
  for (std::size_t i = 0; i < count; ++i) {
    Stream* stream = slots_[handles[i]].stream.get();
    // Checks again whether the stream has a complete window, because decoding one of its frames may fail.
    if (!stream->fill(events)) continue;
    if (const std::optional<float> known = stream->known(silero)) {
      decide(*stream, *known, events, decided, audio);
      continue;
    }
    streams[filled] = stream;
    states[filled] = &stream->vad();
    windows[filled] = stream->window();
    ++filled;
  }
  silero.run(states.data(), windows.data(), filled, probabilities.data());
  for (std::size_t i = 0; i < filled; ++i) decide(*streams[i], probabilities[i], events, decided, audio);
}

void Core::decide(Stream& stream, float probability, EventWriter& events, DecisionWriter& decided,
                  AudioWriter& audio) {
  decided.write(stream.arrival());
  stream.advance(probability, events);
  stream.handOut(events, audio);
}

void Core::flush(std::uint32_t handle, EventWriter& events, DecisionWriter& decided, AudioWriter& audio) {
  Slot* slot = find(handle);
  if (!slot) return;
  Stream& stream = *slot->stream;
  ModelGroup& group = groupOf(*slot);
  stream.wake();
  while (stream.fill(events)) {
    std::optional<float> probability = stream.known(group.silero);
    if (!probability) {
      VadState* state = &stream.vad();
      const std::int16_t* window = stream.window();
      probability = 0;
      group.silero.run(&state, &window, 1, &*probability);
    }
    decide(stream, *probability, events, decided, audio);
  }
  stream.finish(events);
  while (stream.handOut(events, audio, true)) {
  }
  drop(group.ready, handle);
  slot->queued = false;
  reportFaults(stream, events);
  drop(faulty_, handle);
  slot->faulty = false;
}

void Core::choose(std::uint32_t handle, AudioNeed need) {
  Slot* slot = find(handle);
  if (!slot) return;
  audioChosen_ = audioChosen_ || need != AudioNeed::kUtterances;
  slot->stream->choose(need, options_.audioChunk);
}

std::optional<Utterance> Core::takeUtterance(std::uint32_t handle) {
  Slot* slot = find(handle);
  return slot ? slot->stream->take() : std::nullopt;
}

void Core::watch(std::uint32_t handle, bool on) {
  Slot* slot = find(handle);
  if (slot) slot->stream->watch(on);
}

void Core::linger(std::uint32_t handle, bool on) {
  Slot* slot = find(handle);
  if (slot) slot->stream->linger(on);
}

std::optional<Utterance> Core::openUtterance(std::uint32_t handle) {
  Slot* slot = find(handle);
  return slot ? slot->stream->openUtterance() : std::nullopt;
}

void Core::close(std::uint32_t handle) {
  Slot* slot = find(handle);
  if (!slot) return;
  drop(groupOf(*slot).ready, handle);
  drop(faulty_, handle);
  *slot = {};
}

void Core::drop(std::vector<std::uint32_t>& list, std::uint32_t handle) {
  list.erase(std::remove(list.begin(), list.end(), handle), list.end());
}

StreamStatus Core::status(std::uint32_t handle) const {
  if (handle >= slots_.size() || !slots_[handle].stream) return {};
  const Stream& stream = *slots_[handle].stream;
  return {static_cast<double>(stream.position()), static_cast<double>(stream.decided()),
          static_cast<double>(stream.needed()),   stream.speaking(),
          static_cast<double>(stream.bytes()),    static_cast<double>(stream.speechBytes()),
          static_cast<double>(stream.decoded()),  static_cast<double>(stream.invalid()),
          static_cast<double>(stream.dropped()),  static_cast<double>(stream.overBudget()),
          static_cast<double>(stream.skipped())};
}

}  // namespace cochlea
