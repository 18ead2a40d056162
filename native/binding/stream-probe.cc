#include "binding/stream-probe.h"

#include <algorithm>

#include "binding/convert.h"
#include "core/core.h"
#include "kernel/kernels.h"

namespace cochlea {
namespace {

constexpr std::size_t kEvents = 64;
/// Maximum undecoded audio of a stream, in ms.
constexpr std::uint32_t kFrameQueue = 2000;

std::uint32_t uint(const Napi::Value& value) { return value.As<Napi::Number>().Uint32Value(); }

}  // namespace

Napi::Function StreamProbe::define(Napi::Env env) {
  return DefineClass(env, "StreamProbe", {InstanceMethod<&StreamProbe::run>("run")});
}

StreamProbe::StreamProbe(const Napi::CallbackInfo& info)
    : Napi::ObjectWrap<StreamProbe>(info), events_(kEvents * EventWriter::kStride) {
  const GateOptions gate = gateOptions(info[0].As<Napi::Object>());
  const Format format{static_cast<Codec>(uint(info[1])), uint(info[2]), uint(info[3])};
  const std::uint32_t streams = uint(info[4]);
  for (std::uint32_t handle = 0; handle < streams; ++handle) {
    auto stream = std::make_unique<Stream>(handle, format, gate, kFrameQueue, kernels());
    if (!stream->init()) {
      Napi::RangeError::New(info.Env(), "no decoder can be made").ThrowAsJavaScriptException();
      return;
    }
    streams_.push_back(std::move(stream));
  }
}

Napi::Value StreamProbe::run(const Napi::CallbackInfo& info) {
  const auto memory = info[0].As<Napi::Uint8Array>();
  const auto batch = info[1].As<Napi::Uint32Array>();
  const std::size_t count = std::min<std::size_t>(uint(info[2]), batch.ElementLength() / Core::kBatchStride);
  const std::uint8_t* bytes = memory.Data();
  const std::size_t size = memory.ByteLength();
  const std::uint32_t* frame = batch.Data();
  double windows = 0;
  for (std::size_t i = 0; i < count; ++i, frame += Core::kBatchStride) {
    const std::size_t offset = frame[1];
    const std::size_t length = frame[2];
    if (frame[0] >= streams_.size() || offset > size || length > size - offset) continue;
    Stream& stream = *streams_[frame[0]];
    stream.push(bytes + offset, length);
    EventWriter events(events_.data(), kEvents);
    while (stream.fill(events)) {
      stream.advance(0, events);
      ++windows;
    }
  }
  return Napi::Number::New(info.Env(), windows);
}

}  // namespace cochlea
