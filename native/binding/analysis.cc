#include "binding/analysis.h"

#include "kernel/kernels.h"
#include "speaker/mel.h"
#include "speaker/similarity.h"

namespace cochlea {

Napi::Value melSpectrogram(const Napi::CallbackInfo& info) {
  const auto pcm = info[0].As<Napi::Int16Array>();
  const float gain = info[1].As<Napi::Number>().FloatValue();
  auto result = Napi::Float32Array::New(info.Env(), Mel::frames(pcm.ElementLength()) * Mel::kBands);
  Mel::spectrogram(pcm.Data(), pcm.ElementLength(), gain, result.Data(), kernels());
  return result;
}

Napi::Value cosineTopK(const Napi::CallbackInfo& info) {
  static const ProductsKernel products = productsNamed(kernels().isa);
  const auto query = info[0].As<Napi::Float32Array>();
  const auto matrix = info[1].As<Napi::Float32Array>();
  const std::size_t rows = info[2].As<Napi::Number>().Uint32Value();
  const std::size_t dims = info[3].As<Napi::Number>().Uint32Value();
  const std::size_t k = info[4].As<Napi::Number>().Uint32Value();
  if (query.ElementLength() < dims || (dims > 0 && matrix.ElementLength() / dims < rows)) {
    return info.Env().Undefined();
  }
  const std::vector<Neighbour> found = nearest(query.Data(), matrix.Data(), rows, dims, k, products);
  auto result = Napi::Float64Array::New(info.Env(), 2 * found.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    result.Data()[2 * i] = found[i].row;
    result.Data()[2 * i + 1] = found[i].similarity;
  }
  return result;
}

}  // namespace cochlea
