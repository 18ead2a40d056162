#include "binding/convert.h"

#include <cmath>
#include <mutex>

#include "kernel/kernels.h"

namespace cochlea {
namespace {

double number(const Napi::Object& object, const char* name) { return object.Get(name).ToNumber().DoubleValue(); }

std::int64_t samples(const Napi::Object& object, const char* name) {
  return static_cast<std::int64_t>(std::llround(number(object, name) * 16));
}

}  // namespace

GateOptions gateOptions(const Napi::Object& object) {
  GateOptions options;
  options.onset = static_cast<float>(number(object, "onset"));
  options.off = static_cast<float>(number(object, "off"));
  options.preRoll = samples(object, "preRoll");
  options.endSilence = samples(object, "endSilence");
  options.minSpeech = samples(object, "minSpeech");
  options.maxUtterance = samples(object, "maxUtterance");
  return options;
}

std::shared_ptr<const SileroWeights> sharedWeights(const Napi::Uint8Array& file) {
  static std::mutex mutex;
  static std::weak_ptr<const SileroWeights> held;
  const std::lock_guard<std::mutex> lock(mutex);
  if (auto weights = held.lock()) return weights;
  auto weights = std::make_shared<SileroWeights>();
  if (!weights->load(file.Data(), file.ByteLength(), kernels())) return nullptr;
  held = weights;
  return weights;
}

}  // namespace cochlea
