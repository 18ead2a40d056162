#include <napi.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "binding/analysis.h"
#include "binding/core-binding.h"
#include "binding/frame-copy.h"
#include "binding/probe.h"
#include "binding/stream-probe.h"
#include "binding/thread-priority.h"
#include "codec/aac.h"
#include "codec/lc3.h"
#include "codec/opus.h"
#include "kernel/kernels.h"

/// Returns the version of libavcodec. The addon exposes the version as a getter: libavcodec loads about
/// ninety other libraries, and the getter delays this until the property is read.
static Napi::Value aacVersion(const Napi::CallbackInfo& info) {
  const char* version = cochlea::AacStream::version();
  return version == nullptr ? info.Env().Undefined()
                            : Napi::String::New(info.Env(), version).As<Napi::Value>();
}

/// Makes glibc return the memory of each freed utterance to the system. Utterances are short-lived arrays of
/// hundreds of KB. By default, glibc raises its mmap threshold when the first such array is freed, and then
/// allocates later arrays on its heap. On that heap, longer-lived objects between the arrays would cause
/// fragmentation, so this function fixes the threshold.
static void keepLargeArraysApart() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 128 * 1024);
#endif
}

static Napi::Object initialize(Napi::Env env, Napi::Object exports) {
  keepLargeArraysApart();
  exports.Set("Core", cochlea::CoreBinding::define(env));
  exports.Set("StreamProbe", cochlea::StreamProbe::define(env));
#ifdef COCHLEA_SLOW_DETECTOR
  exports.Set("testBuild", "its detector computes every window twice");
#endif
  exports.Set("isa", cochlea::kernels().isa);
  exports.Set("opus", cochlea::OpusStream::version());
  if (const char* version = cochlea::Lc3Stream::version()) exports.Set("lc3", version);
  exports.DefineProperty(Napi::PropertyDescriptor::Accessor<aacVersion>("aac", napi_enumerable));
  exports.Set("melSpectrogram", Napi::Function::New<cochlea::melSpectrogram>(env));
  exports.Set("cosineTopK", Napi::Function::New<cochlea::cosineTopK>(env));
  exports.Set("copyFrame", Napi::Function::New<cochlea::copyFrame>(env));
  exports.Set("setThreadNiceness", Napi::Function::New<cochlea::setThreadNiceness>(env));
  exports.Set("probeDetector", Napi::Function::New<cochlea::probeDetector>(env));
  exports.Set("probeGate", Napi::Function::New<cochlea::probeGate>(env));
  exports.Set("probeResampler", Napi::Function::New<cochlea::probeResampler>(env));
  return exports;
}

NODE_API_MODULE(cochlea, initialize)
