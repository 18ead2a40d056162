#pragma once

#include <napi.h>

#include <memory>
#include <vector>

#include "stream/stream.h"

namespace cochlea {

/// The class `StreamProbe` of the addon: streams that are decoded, resampled and gated without the detector,
/// to measure the cost of a frame without it.
class StreamProbe : public Napi::ObjectWrap<StreamProbe> {
 public:
  static Napi::Function define(Napi::Env env);

  /// (gate: GateOptions, codec: number, rate: number, channels: number, streams: number). Throws a RangeError
  /// where a decoder cannot be made.
  explicit StreamProbe(const Napi::CallbackInfo& info);

 private:
  /// (memory: Uint8Array, batch: Uint32Array, count: number): number. Triples as for `AudioCore.push`. Each
  /// frame is decoded before the next is looked at. Returns the windows of audio that came out.
  Napi::Value run(const Napi::CallbackInfo& info);

  std::vector<std::unique_ptr<Stream>> streams_;
  std::vector<double> events_;
};

}  // namespace cochlea
