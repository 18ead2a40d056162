// Fuzzes Opus packets of one stream.
#include "codec/opus.h"

#include "fuzz/frame-decoder.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  cochlea::OpusStream stream;
  if (!stream.init()) return 0;
  cochlea::fuzz::Frames frames(data, size);
  cochlea::fuzz::decodeAll(stream, frames, true);
  return 0;
}
