#include "binding/convert.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "kernel/kernels.h"

namespace cochlea {
namespace {

double number(const Napi::Object& object, const char* name) {
  return object.Get(name).ToNumber().DoubleValue();
}

std::int64_t samples(const Napi::Object& object, const char* name) {
  return static_cast<std::int64_t>(std::llround(number(object, name) * 16));
}

}  // namespace

GateOptions gateOptions(const Napi::Object& object) {
  GateOptions options;
  for (const auto& [name, member] : kGateThresholds) {
    if (object.Has(name)) options.*member = static_cast<float>(number(object, name));
  }
  for (const auto& [name, member] : kGateLengths) {
    if (object.Has(name)) options.*member = samples(object, name);
  }
  if (object.Has("longSilence")) options.longSilence = samples(object, "longSilence");
  const Napi::Value open = object.Get("open");
  if (!open.IsUndefined()) {
    options.openSilence = samples(open.As<Napi::Object>(), "silence");
    options.openStep = samples(open.As<Napi::Object>(), "step");
  }
  const Napi::Value schedule = object.Get("endSchedule");
  if (schedule.IsUndefined()) return options;
  const auto steps = schedule.As<Napi::Array>();
  options.silenceSteps = std::min<std::size_t>(steps.Length(), kSilenceSteps);
  for (std::uint32_t i = 0; i < options.silenceSteps; ++i) {
    const auto step = steps.Get(i).As<Napi::Object>();
    options.schedule[i] = {samples(step, "speech"), samples(step, "silence")};
  }
  return options;
}

BudgetOptions budgetOptions(const Napi::Value& value) {
  if (value.IsUndefined()) return {};
  const auto object = value.As<Napi::Object>();
  return {number(object, "pace"), number(object, "backlog")};
}

const Kernels* kernelsOf(const Napi::Value& isa) {
  if (isa.IsUndefined()) return &kernels();
  const std::string name = isa.ToString().Utf8Value();
  const Kernels* named = kernelsNamed(name.c_str());
  if (!named) {
    Napi::RangeError::New(isa.Env(), "this machine does not run " + name).ThrowAsJavaScriptException();
  }
  return named;
}

std::shared_ptr<const SileroModel> sharedModel(const Napi::Uint8Array& file, const Kernels& kernels) {
  // Checks the size even if another thread has already loaded the model, because this caller's file may be
  // wrong.
  if (file.ByteLength() != SileroModel::fileBytes()) return nullptr;
  static std::mutex mutex;
  static std::map<const Kernels*, std::shared_ptr<const SileroModel>> held;
  const std::lock_guard<std::mutex> lock(mutex);
  std::shared_ptr<const SileroModel>& entry = held[&kernels];
  if (entry) return entry;
  auto model = std::make_shared<SileroModel>();
  if (!model->load(file.Data(), file.ByteLength(), kernels)) return nullptr;
  entry = model;
  return model;
}

}  // namespace cochlea
