#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "clock.h"

namespace cochlea {

/// An event with one due time, owned by an object of a derived class. It belongs to at most one wheel. The
/// destructor removes it from the wheel.
class Timer {
 public:
  Timer() = default;
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;
  ~Timer() { unlink(); }

  bool armed() const { return next_ != nullptr; }

 private:
  friend class Wheel;

  void unlink() {
    if (!armed()) return;
    previous_->next_ = next_;
    next_->previous_ = previous_;
    next_ = previous_ = nullptr;
  }

  Timer* previous_ = nullptr;
  Timer* next_ = nullptr;
  std::int64_t tick_ = 0;
};

/// A timing wheel. The cost to arm a timer does not depend on the number of timers. A timer fires after the
/// step that contains its time: never early, and up to one step (about 1 ms) late. All timers of a step fire
/// together, so that the process can sleep between steps.
class Wheel {
 public:
  /// Binary logarithm of a step in ns: a step has 2^20 ns.
  static constexpr int kShift = 20;

  explicit Wheel(std::int64_t now) : current_(now >> kShift) {
    for (Timer& slot : slots_) slot.next_ = slot.previous_ = &slot;
  }
  Wheel(const Wheel&) = delete;
  Wheel& operator=(const Wheel&) = delete;
  ~Wheel() {
    for (Timer& slot : slots_) {
      while (slot.next_ != &slot) slot.next_->unlink();
      slot.next_ = slot.previous_ = nullptr;
    }
  }

  /// Arms a timer. If it was armed already, changes its time.
  void arm(Timer& timer, std::int64_t at) {
    timer.unlink();
    timer.tick_ = std::max(at >> kShift, current_);
    Timer& slot = slots_[static_cast<std::size_t>(timer.tick_) % kSlots];
    timer.previous_ = slot.previous_;
    timer.next_ = &slot;
    slot.previous_->next_ = &timer;
    slot.previous_ = &timer;
    soonest_ = std::min(soonest_, timer.tick_);
  }

  void disarm(Timer& timer) { timer.unlink(); }

  /// Returns the time in ns at which `advance` must run next, or an earlier time; kNever for an empty wheel.
  std::int64_t wakeAt() const { return soonest_ == kNever ? kNever : (soonest_ + 1) << kShift; }

  /// Calls `fire(timer)` for the timers of all steps that have passed. `fire` may arm and disarm any timer.
  template <typename Fire>
  void advance(std::int64_t now, Fire&& fire) {
    const std::int64_t end = now >> kShift;
    if (soonest_ >= end) {
      current_ = end;
      return;
    }
    // After a long sleep, one pass over all slots suffices, because it visits every timer.
    const std::int64_t first = std::max(current_, end - static_cast<std::int64_t>(kSlots));
    for (std::int64_t tick = first; tick < end; ++tick) {
      current_ = tick + 1;
      fireSlot(slots_[static_cast<std::size_t>(tick) % kSlots], end, fire);
    }
    current_ = end;
    soonest_ = findSoonest();
  }

 private:
  static constexpr std::size_t kSlots = 4096;

  template <typename Fire>
  void fireSlot(Timer& slot, std::int64_t end, Fire& fire) {
    // The timers of the slot first move to a separate list. So timers that they arm do not fire in this
    // round.
    Timer due;
    due.next_ = due.previous_ = &due;
    for (Timer* timer = slot.next_; timer != &slot;) {
      Timer* const next = timer->next_;
      if (timer->tick_ < end) {
        timer->unlink();
        timer->previous_ = due.previous_;
        timer->next_ = &due;
        due.previous_->next_ = timer;
        due.previous_ = timer;
      }
      timer = next;
    }
    while (due.next_ != &due) {
      Timer& timer = *due.next_;
      timer.unlink();
      fire(timer);
    }
    due.next_ = due.previous_ = nullptr;
  }

  /// Returns the first step that may contain a timer. The result is exact if a timer is due within one
  /// revolution of the wheel. Otherwise the result is the end of this revolution.
  std::int64_t findSoonest() const {
    bool any = false;
    for (std::int64_t tick = current_; tick < current_ + static_cast<std::int64_t>(kSlots); ++tick) {
      const Timer& slot = slots_[static_cast<std::size_t>(tick) % kSlots];
      for (const Timer* timer = slot.next_; timer != &slot; timer = timer->next_) {
        if (timer->tick_ <= tick) return tick;
        any = true;
      }
    }
    return any ? current_ + static_cast<std::int64_t>(kSlots) : kNever;
  }

  std::array<Timer, kSlots> slots_;
  /// The first step that has not passed yet.
  std::int64_t current_;
  std::int64_t soonest_ = kNever;
};

}  // namespace cochlea
