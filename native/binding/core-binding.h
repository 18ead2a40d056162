#pragma once

#include <napi.h>

#include <memory>

#include "core/core.h"

namespace cochlea {

/// The class `Core` of the addon. `AudioCore` in src/audio/native.ts wraps it and checks the types of all
/// arguments.
class CoreBinding : public Napi::ObjectWrap<CoreBinding> {
 public:
  static Napi::Function define(Napi::Env env);

  /// (options, memory: Uint8Array, events: Float64Array, decided: Uint32Array, weights: Uint8Array, audio?:
  /// Int16Array). Throws a TypeError if the weights are wrong, and a RangeError if `audio` is too small.
  explicit CoreBinding(const Napi::CallbackInfo& info);

 private:
  Napi::Value open(const Napi::CallbackInfo& info);
  void push(const Napi::CallbackInfo& info);
  void lose(const Napi::CallbackInfo& info);
  Napi::Value turn(const Napi::CallbackInfo& info);
  Napi::Value due(const Napi::CallbackInfo& info);
  Napi::Value flush(const Napi::CallbackInfo& info);
  Napi::Value takeUtterance(const Napi::CallbackInfo& info);
  void watch(const Napi::CallbackInfo& info);
  void linger(const Napi::CallbackInfo& info);
  Napi::Value openUtterance(const Napi::CallbackInfo& info);
  void choose(const Napi::CallbackInfo& info);
  void close(const Napi::CallbackInfo& info);
  Napi::Value status(const Napi::CallbackInfo& info);
  void destroy(const Napi::CallbackInfo& info);

  EventWriter writer() const { return {events_, eventCapacity_}; }
  DecisionWriter decisions() const { return {decided_, decidedCapacity_}; }

  std::unique_ptr<Core> core_;
  /// These references keep the views alive, because the core reads and writes their memory directly.
  Napi::ObjectReference memory_;
  Napi::ObjectReference eventsView_;
  Napi::ObjectReference decidedView_;
  Napi::ObjectReference audioView_;
  double* events_ = nullptr;
  std::size_t eventCapacity_ = 0;
  std::uint32_t* decided_ = nullptr;
  std::size_t decidedCapacity_ = 0;
  std::int16_t* audio_ = nullptr;
  std::size_t audioCapacity_ = 0;
};

}  // namespace cochlea
