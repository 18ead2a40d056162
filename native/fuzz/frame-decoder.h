#pragma once

#include <memory>
#include <vector>

#include "codec/frame-decoder.h"
#include "fuzz/frames.h"

namespace cochlea::fuzz {

/// Decodes frames as a stream does, and checks that the decoder keeps the promises of FrameDecoder. Flags in
/// the input select further calls: conceal a gap first, restore the previous frame, or decode a frame whose
/// `duration` is 0.
/// @param exact whether the duration of a decoded frame must equal `duration` exactly
inline void decodeAll(FrameDecoder& decoder, Frames& frames, bool exact) {
  // The memory is a separate allocation, so that the sanitizer finds a write past its end.
  const auto out = std::make_unique<std::int16_t[]>(FrameDecoder::kMaxSamples);
  while (frames.next()) {
    const std::size_t units = decoder.duration(frames.data(), frames.size());
    if (frames.flags() & 1) {
      const std::size_t wanted = 1 + 40 * frames.size() % FrameDecoder::kMaxSamples;
      require(decoder.conceal(out.get(), wanted) <= wanted);
    }
    if (units == 0 && !(frames.flags() & 4)) continue;
    if (frames.flags() & 2) {
      const std::size_t restorable = decoder.restorable(frames.data(), frames.size());
      require(restorable <= FrameDecoder::kMaxSamples);
      if (restorable > 0) {
        require(decoder.restore(frames.data(), frames.size(), out.get(), restorable) <= restorable);
      }
    }
    const FrameDecoder::Result result = decoder.decode(frames.data(), frames.size(), out.get());
    require(decoder.rate() > 0 && decoder.unitRate() % decoder.rate() == 0);
    require(result.samples <= FrameDecoder::kMaxSamples);
    require(result.samples * std::uint64_t{16000} <= FrameDecoder::kMaxAt16k * std::uint64_t{decoder.rate()});
    if (exact && result.samples > 0) require(result.samples * (decoder.unitRate() / decoder.rate()) == units);
    require(decoder.bytes() < 1024 * 1024);
  }
}

}  // namespace cochlea::fuzz
