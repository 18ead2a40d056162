#include "binding/probe.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "binding/convert.h"
#include "gate/gate.h"
#include "kernel/kernels.h"
#include "resample/resampler.h"
#include "vad/silero.h"

namespace cochlea {

Napi::Value probeDetector(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const Kernels* kernels = kernelsOf(info[3]);
  if (!kernels) return env.Undefined();
  const std::uint32_t rate =
      info[5].IsUndefined() ? kWideVariant.rate : info[5].As<Napi::Number>().Uint32Value();
  if (rate != kWideVariant.rate && rate != kNarrowVariant.rate) {
    Napi::RangeError::New(env, "the detector has no weights for this rate").ThrowAsJavaScriptException();
    return env.Undefined();
  }
  const auto model = sharedModel(info[0].As<Napi::Uint8Array>(), *kernels);
  if (!model) return env.Undefined();
  auto weights = rate == kWideVariant.rate ? SileroModel::wideOf(model) : SileroModel::narrowOf(model);
  const std::size_t window = weights->half.window;
  const auto pcm = info[1].As<Napi::Int16Array>();
  const std::size_t streams = std::clamp<std::size_t>(info[2].As<Napi::Number>().Uint32Value(), 1, 64);
  const std::size_t windows = pcm.ElementLength() / window;

  Silero silero(std::move(weights), *kernels, !info[4].ToBoolean().Value());
  std::vector<VadState> states(streams);
  std::vector<VadState*> pointers;
  pointers.reserve(streams);
  for (VadState& state : states) pointers.push_back(&state);
  std::vector<const std::int16_t*> inputs(streams);
  std::vector<float> probabilities(streams);
  auto result = Napi::Float32Array::New(env, windows);
  for (std::size_t w = 0; w < windows; ++w) {
    std::fill(inputs.begin(), inputs.end(), pcm.Data() + w * window);
    for (std::size_t at = 0; at < streams; at += Silero::kBatch) {
      const std::size_t count = std::min(Silero::kBatch, streams - at);
      silero.run(pointers.data() + at, inputs.data() + at, count, probabilities.data() + at);
    }
    result.Data()[w] = probabilities[0];
  }
  return result;
}

Napi::Value probeGate(const Napi::CallbackInfo& info) {
  Gate gate(gateOptions(info[0].As<Napi::Object>()));
  const auto probabilities = info[1].As<Napi::Float32Array>();
  std::vector<double> rows;
  GateEvent events[kGateEvents];
  const bool mayLinger = !info[2].IsUndefined();
  const auto keep = [&](std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const GateEvent& e = events[i];
      for (const std::int64_t value : {static_cast<std::int64_t>(e.kind), e.first, e.last, e.speechStart,
                                       e.speechEnd, static_cast<std::int64_t>(e.cut)}) {
        rows.push_back(static_cast<double>(value));
      }
      rows.push_back(static_cast<double>(e.probability));
    }
  };
  for (std::size_t i = 0; i < probabilities.ElementLength(); ++i) {
    if (mayLinger) gate.linger(info[2].As<Napi::Uint8Array>()[i] != 0);
    keep(gate.step(probabilities.Data()[i], events));
  }
  keep(gate.flush(gate.position(), events));
  auto result = Napi::Float64Array::New(info.Env(), rows.size());
  if (!rows.empty()) std::memcpy(result.Data(), rows.data(), rows.size() * sizeof(double));
  return result;
}

Napi::Value probeResampler(const Napi::CallbackInfo& info) {
  Resampler resampler(info[0].As<Napi::Number>().Uint32Value());
  const auto pcm = info[1].As<Napi::Int16Array>();
  std::vector<std::int16_t> samples;
  std::int16_t chunk[Resampler::kMaxOutput];
  for (std::size_t at = 0; at < pcm.ElementLength(); at += Resampler::kMaxInput) {
    const std::size_t count = std::min(Resampler::kMaxInput, pcm.ElementLength() - at);
    const std::size_t written = resampler.process(pcm.Data() + at, count, chunk, kernels());
    samples.insert(samples.end(), chunk, chunk + written);
  }
  auto result = Napi::Int16Array::New(info.Env(), samples.size());
  if (!samples.empty()) std::memcpy(result.Data(), samples.data(), samples.size() * sizeof(std::int16_t));
  return result;
}

}  // namespace cochlea
