#include "core/core.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace cochlea {
namespace {

/// Most events of `reportFaults`.
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
  return handle < slots_.size() && slots_[handle].session ? &slots_[handle] : nullptr;
}

Core::OpenResult Core::open(std::uint32_t handle, const Format& format) {
  if (handle >= slots_.size() || slots_[handle].session) return OpenResult::kBadHandle;
  auto session = std::make_unique<Session>(handle, format, options_.gate, options_.slab, kernels_, options_.budget);
  if (!session->init()) return OpenResult::kNoDecoder;
  slots_[handle] = {std::move(session), 0, false, false};
  return OpenResult::kOpened;
}

void Core::push(const std::uint32_t* batch, std::size_t count, double now) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t* frame = batch + kBatchStride * i;
    const std::uint32_t handle = frame[0];
    const std::size_t offset = frame[1];
    const std::size_t length = frame[2];
    Slot* slot = find(handle);
    if (!slot || offset > memoryLength_ || length > memoryLength_ - offset) continue;
    slot->session->push(memory_ + offset, length, frame[3], now);
    note(handle, *slot, now);
  }
}

void Core::note(std::uint32_t handle, Slot& slot, double now) {
  if (!slot.queued && slot.session->windowsReady() > 0) {
    slot.queued = true;
    slot.since = now;
    laneOf(slot).ready.push_back(handle);
  }
  if (!slot.faulty && slot.session->hasFaults()) {
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
  for (const Lane* lane : {&wide_, &narrow_}) {
    for (const std::uint32_t handle : lane->ready) {
      windows += slots_[handle].session->windowsReady();
      if (windows >= options_.turnWindows) return 0;
    }
    if (!lane->ready.empty()) oldest = std::min(oldest, slots_[lane->ready.front()].since);
  }
  return std::max(0.0, oldest + options_.turnDeadline - now);
}

void Core::turn(double now, bool force, EventWriter& events, DecisionWriter& decided) {
  if (!force && due(now) > 0) return;
  stopped_ = false;
  // A stream's own windows follow one another.
  while (!wide_.ready.empty() || !narrow_.ready.empty()) {
    for (Lane* lane : {&wide_, &narrow_}) sweep(*lane, now, events, decided);
    if (stopped_) return;
  }
  while (!faulty_.empty() && events.room() >= kFaultEvents) {
    Slot& slot = slots_[faulty_.back()];
    slot.faulty = false;
    reportFaults(*slot.session, events);
    faulty_.pop_back();
  }
}

void Core::reportFaults(Session& session, EventWriter& events) {
  if (const std::uint32_t faults = session.takeFaults())
    events.write(session.handle(), EventKind::kInvalidFrames, faults);
  if (const std::uint32_t refused = session.takeRefused())
    events.write(session.handle(), EventKind::kOverBudget, refused);
}

void Core::sweep(Lane& lane, double now, EventWriter& events, DecisionWriter& decided) {
  std::vector<std::uint32_t>& ready = lane.ready;
  std::size_t kept = 0;
  std::size_t at = 0;
  while (at < ready.size() && events.room() >= Silero::kBatch * Session::kEventsPerWindow &&
         decided.room() >= Silero::kBatch) {
    const std::size_t count = std::min(Silero::kBatch, ready.size() - at);
    detect(lane.silero, ready.data() + at, count, events, decided);
    for (std::size_t i = at; i < at + count; ++i) {
      Slot& slot = slots_[ready[i]];
      if (slot.session->windowsReady() > 0) {
        slot.since = now;
        ready[kept++] = ready[i];
      } else {
        slot.queued = false;
      }
      if (!slot.faulty && slot.session->hasFaults()) {
        slot.faulty = true;
        faulty_.push_back(slot.session->handle());
      }
    }
    at += count;
  }
  if (at < ready.size()) stopped_ = true;
  ready.erase(ready.begin() + static_cast<std::ptrdiff_t>(kept), ready.begin() + static_cast<std::ptrdiff_t>(at));
}

void Core::detect(Silero& silero, const std::uint32_t* handles, std::size_t count, EventWriter& events,
                  DecisionWriter& decided) {
  std::array<Session*, Silero::kBatch> sessions;
  std::array<VadState*, Silero::kBatch> states{};
  std::array<const std::int16_t*, Silero::kBatch> windows{};
  std::array<float, Silero::kBatch> probabilities{};
  std::size_t filled = 0;
  for (std::size_t i = 0; i < count; ++i) {
    Session* session = slots_[handles[i]].session.get();
    // A frame that looked whole may not have decoded.
    if (!session->fill(events)) continue;
    sessions[filled] = session;
    states[filled] = &session->vad();
    windows[filled] = session->window();
    ++filled;
  }
  silero.run(states.data(), windows.data(), filled, probabilities.data());
  for (std::size_t i = 0; i < filled; ++i) {
    decided.write(sessions[i]->arrival());
    sessions[i]->advance(probabilities[i], events);
  }
}

void Core::flush(std::uint32_t handle, EventWriter& events, DecisionWriter& decided) {
  Slot* slot = find(handle);
  if (!slot) return;
  Session& session = *slot->session;
  Lane& lane = laneOf(*slot);
  while (session.fill(events)) {
    VadState* state = &session.vad();
    const std::int16_t* window = session.window();
    float probability;
    lane.silero.run(&state, &window, 1, &probability);
    decided.write(session.arrival());
    session.advance(probability, events);
  }
  session.finish(events);
  drop(lane.ready, handle);
  slot->queued = false;
  reportFaults(session, events);
  drop(faulty_, handle);
  slot->faulty = false;
}

std::optional<Utterance> Core::takeUtterance(std::uint32_t handle) {
  Slot* slot = find(handle);
  return slot ? slot->session->take() : std::nullopt;
}

void Core::close(std::uint32_t handle) {
  Slot* slot = find(handle);
  if (!slot) return;
  drop(laneOf(*slot).ready, handle);
  drop(faulty_, handle);
  *slot = {};
}

void Core::drop(std::vector<std::uint32_t>& list, std::uint32_t handle) {
  list.erase(std::remove(list.begin(), list.end(), handle), list.end());
}

StreamStatus Core::status(std::uint32_t handle) const {
  if (handle >= slots_.size() || !slots_[handle].session) return {};
  const Session& session = *slots_[handle].session;
  return {static_cast<double>(session.position()), session.speaking(),
          static_cast<double>(session.bytes()),    static_cast<double>(session.speechBytes()),
          static_cast<double>(session.decoded()),  static_cast<double>(session.invalid()),
          static_cast<double>(session.dropped()),  static_cast<double>(session.overBudget())};
}

}  // namespace cochlea
