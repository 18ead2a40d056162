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

/// Opens the library only when the property is read, because it loads about ninety others into the process.
static Napi::Value aacVersion(const Napi::CallbackInfo& info) {
  const char* version = cochlea::AacStream::version();
  return version == nullptr ? info.Env().Undefined()
                            : Napi::String::New(info.Env(), version).As<Napi::Value>();
}

/// Utterances are arrays of hundreds of KB that are freed soon. After the first was freed, glibc would
/// allocate the next ones on its heap, which becomes fragmented by objects that live longer. With a fixed
/// threshold each is returned to the system.
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
