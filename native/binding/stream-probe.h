#pragma once

#include <napi.h>

#include <memory>
#include <vector>

#include "stream/stream.h"

namespace cochlea {

/// The class `StreamProbe` of the addon. It decodes, resamples and gates streams, but runs no detector.
/// Benchmarks use it to measure the cost of a frame without the cost of the detector.
class StreamProbe : public Napi::ObjectWrap<StreamProbe> {
 public:
  static Napi::Function define(Napi::Env env);

  /// (gate: GateOptions, codec: number, rate: number, channels: number, streams: number). Opens `streams`
  /// streams of one format. Throws a RangeError if a decoder cannot be created.
  explicit StreamProbe(const Napi::CallbackInfo& info);

 private:
  /// (memory: Uint8Array, batch: Uint32Array, count: number): number. Decodes `count` frames. The batch has
  /// the format of `AudioCore.push`. Each frame is decoded before the next frame is pushed. Returns the
  /// number of windows.
  Napi::Value run(const Napi::CallbackInfo& info);

  std::vector<std::unique_ptr<Stream>> streams_;
  std::vector<double> events_;
};

}  // namespace cochlea
