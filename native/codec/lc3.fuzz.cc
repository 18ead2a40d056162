// Fuzzes LC3 frames of one stream. Byte 0 selects rate, channels, and whether frames have a fixed length.
#include "codec/lc3.h"

#include "fuzz/frame-decoder.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  constexpr std::uint32_t kRates[] = {16000, 8000, 24000, 32000, 48000};
  const auto stream =
      cochlea::Lc3Stream::make(kRates[data[0] % 5], data[0] & 0x40 ? 2 : 1, data[0] & 0x80 ? 30 : 0);
  if (!stream) return 0;
  cochlea::fuzz::Frames frames(data + 1, size - 1);
  cochlea::fuzz::decodeAll(*stream, frames, true);
  return 0;
}
