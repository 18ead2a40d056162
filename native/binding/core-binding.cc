#include "binding/core-binding.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "binding/convert.h"

namespace cochlea {
namespace {

std::uint32_t uint(const Napi::Value& value) { return value.As<Napi::Number>().Uint32Value(); }
double number(const Napi::Value& value) { return value.As<Napi::Number>().DoubleValue(); }

Napi::Value utteranceObject(const Napi::Env env, const std::optional<Utterance>& utterance) {
  if (!utterance) return env.Undefined();
  auto pcm = Napi::Int16Array::New(env, utterance->pcm.size());
  // The array is empty if it could not be created, because the thread is being ended.
  if (pcm.IsEmpty()) return {};
  std::memcpy(pcm.Data(), utterance->pcm.data(), utterance->pcm.size() * sizeof(std::int16_t));
  const auto result = Napi::Object::New(env);
  result.Set("pcm", pcm);
  result.Set("start", static_cast<double>(utterance->start));
  result.Set("speechStart", static_cast<double>(utterance->speechStart));
  result.Set("speechEnd", static_cast<double>(utterance->speechEnd));
  result.Set("cut", utterance->cut);
  result.Set("probability", static_cast<double>(utterance->probability));
  return result;
}

}  // namespace

Napi::Function CoreBinding::define(Napi::Env env) {
  return DefineClass(
      env, "Core",
      {InstanceMethod<&CoreBinding::open>("open"), InstanceMethod<&CoreBinding::push>("push"),
       InstanceMethod<&CoreBinding::lose>("lose"), InstanceMethod<&CoreBinding::turn>("turn"),
       InstanceMethod<&CoreBinding::due>("due"), InstanceMethod<&CoreBinding::flush>("flush"),
       InstanceMethod<&CoreBinding::takeUtterance>("takeUtterance"),
       InstanceMethod<&CoreBinding::watch>("watch"), InstanceMethod<&CoreBinding::linger>("linger"),
       InstanceMethod<&CoreBinding::openUtterance>("openUtterance"),
       InstanceMethod<&CoreBinding::choose>("choose"), InstanceMethod<&CoreBinding::close>("close"),
       InstanceMethod<&CoreBinding::status>("status"), InstanceMethod<&CoreBinding::destroy>("destroy")});
}

CoreBinding::CoreBinding(const Napi::CallbackInfo& info) : Napi::ObjectWrap<CoreBinding>(info) {
  const auto options = info[0].As<Napi::Object>();
  const auto memory = info[1].As<Napi::Uint8Array>();
  auto events = info[2].As<Napi::Float64Array>();
  const Kernels* kernels = kernelsOf(options.Get("isa"));
  if (!kernels) return;
  auto decided = info[3].As<Napi::Uint32Array>();
  auto model = sharedModel(info[4].As<Napi::Uint8Array>(), *kernels);
  if (!model) {
    Napi::TypeError::New(info.Env(), "the detector's weights have the wrong size")
        .ThrowAsJavaScriptException();
    return;
  }
  memory_ = Napi::Persistent(memory.As<Napi::Object>());
  eventsView_ = Napi::Persistent(events.As<Napi::Object>());
  events_ = events.Data();
  decidedView_ = Napi::Persistent(decided.As<Napi::Object>());
  decided_ = decided.Data();
  decidedCapacity_ = decided.ElementLength();
  eventCapacity_ = events.ElementLength() / EventWriter::kStride;
  if (!info[5].IsUndefined()) {
    auto audio = info[5].As<Napi::Int16Array>();
    audioView_ = Napi::Persistent(audio.As<Napi::Object>());
    audio_ = audio.Data();
    audioCapacity_ = audio.ElementLength();
  }

  CoreOptions core;
  core.gate = gateOptions(options.Get("gate").As<Napi::Object>());
  core.frameQueue = uint(options.Get("frameQueueDuration"));
  core.turnWindows = uint(options.Get("turnWindows"));
  core.turnDeadline = number(options.Get("turnDeadline"));
  core.maxStreams = uint(options.Get("maxStreams"));
  core.rests = options.Get("rests").ToBoolean().Value();
  core.budget = budgetOptions(options.Get("budget"));
  if (audio_) core.audioChunk = std::size_t{uint(options.Get("audioChunk"))} * 16;
  if (audio_ && audioCapacity_ < Core::audioSpace(core)) {
    Napi::RangeError::New(info.Env(), "the memory for audio is too small").ThrowAsJavaScriptException();
    return;
  }
  core_ = std::make_unique<Core>(core, memory.Data(), memory.ByteLength(), std::move(model), *kernels);
}

Napi::Value CoreBinding::open(const Napi::CallbackInfo& info) {
  const Format format{static_cast<Codec>(uint(info[1])), uint(info[2]), uint(info[3])};
  return Napi::Number::New(info.Env(), static_cast<int>(core_->open(uint(info[0]), format)));
}

void CoreBinding::push(const Napi::CallbackInfo& info) {
  const auto batch = info[0].As<Napi::Uint32Array>();
  const std::size_t count = std::min<std::size_t>(uint(info[1]), batch.ElementLength() / Core::kBatchStride);
  if (info[3].IsUndefined()) {
    core_->push(batch.Data(), count, number(info[2]));
    return;
  }
  const auto memory = info[3].As<Napi::Uint8Array>();
  core_->push(batch.Data(), count, number(info[2]), memory.Data(), memory.ByteLength());
}

void CoreBinding::lose(const Napi::CallbackInfo& info) {
  core_->lose(uint(info[0]), uint(info[1]), uint(info[2]));
}

Napi::Value CoreBinding::turn(const Napi::CallbackInfo& info) {
  EventWriter events = writer();
  DecisionWriter decided = decisions();
  AudioWriter audio{audio_, audioCapacity_};
  core_->turn(number(info[0]), info[1].As<Napi::Boolean>().Value(), events, decided, audio);
  return Napi::Number::New(info.Env(), static_cast<double>(events.count()));
}

Napi::Value CoreBinding::due(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), core_->due(number(info[0])));
}

Napi::Value CoreBinding::flush(const Napi::CallbackInfo& info) {
  EventWriter events = writer();
  DecisionWriter decided = decisions();
  AudioWriter audio{audio_, audioCapacity_};
  core_->flush(uint(info[0]), events, decided, audio);
  return Napi::Number::New(info.Env(), static_cast<double>(events.count()));
}

Napi::Value CoreBinding::takeUtterance(const Napi::CallbackInfo& info) {
  return utteranceObject(info.Env(), core_->takeUtterance(uint(info[0])));
}

void CoreBinding::watch(const Napi::CallbackInfo& info) {
  core_->watch(uint(info[0]), info[1].As<Napi::Boolean>().Value());
}

void CoreBinding::linger(const Napi::CallbackInfo& info) {
  core_->linger(uint(info[0]), info[1].As<Napi::Boolean>().Value());
}

Napi::Value CoreBinding::openUtterance(const Napi::CallbackInfo& info) {
  return utteranceObject(info.Env(), core_->openUtterance(uint(info[0])));
}
void CoreBinding::choose(const Napi::CallbackInfo& info) {
  // The choice is ignored if the core has no memory for returned audio. A stream that must return audio would
  // make no progress without such memory.
  if (audio_) core_->choose(uint(info[0]), static_cast<AudioNeed>(uint(info[1])));
}

void CoreBinding::close(const Napi::CallbackInfo& info) { core_->close(uint(info[0])); }

Napi::Value CoreBinding::status(const Napi::CallbackInfo& info) {
  const StreamStatus status = core_->status(uint(info[0]));
  const auto result = Napi::Object::New(info.Env());
  result.Set("position", status.position);
  result.Set("decided", status.decided);
  result.Set("needed", status.needed);
  result.Set("speaking", status.speaking);
  result.Set("bytes", status.bytes);
  result.Set("speechBytes", status.speechBytes);
  result.Set("framesDecoded", status.decoded);
  result.Set("framesInvalid", status.invalid);
  result.Set("framesDropped", status.dropped);
  result.Set("framesOverBudget", status.overBudget);
  result.Set("framesSkipped", status.skipped);
  return result;
}

void CoreBinding::destroy(const Napi::CallbackInfo&) {
  core_.reset();
  memory_.Reset();
  eventsView_.Reset();
  decidedView_.Reset();
  audioView_.Reset();
}

}  // namespace cochlea
