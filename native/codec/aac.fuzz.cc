// Fuzzes ADTS frames of one stream. libavcodec is the installed library, so the fuzzer gets coverage only of
// this repository's parser. It still detects faulty memory accesses of libavcodec. Headers are adapted to
// their frames, because otherwise hardly any frame would be valid. Flag 8 leaves a header unchanged.
#include "codec/aac.h"

#include "fuzz/frame-decoder.h"

namespace {

/// Changes the header of each frame so that header and frame form a complete ADTS frame.
std::vector<std::uint8_t> fitted(const std::uint8_t* data, std::size_t size) {
  std::vector<std::uint8_t> input(data, data + size);
  for (std::size_t at = 0; at + 2 <= input.size();) {
    const std::size_t wanted = input[at] | (input[at + 1] & 0x0fu) << 8;
    const unsigned flags = input[at + 1] >> 4;
    at += 2;
    const std::size_t length = std::min(wanted, input.size() - at);
    if (length >= 7 && !(flags & 8)) {
      std::uint8_t* header = input.data() + at;
      header[0] = 0xff;
      header[1] = static_cast<std::uint8_t>(0xf0 | (header[1] & 0x09u));
      header[3] = static_cast<std::uint8_t>((header[3] & 0xfcu) | length >> 11);
      header[4] = static_cast<std::uint8_t>(length >> 3);
      header[5] = static_cast<std::uint8_t>((length & 7) << 5 | (header[5] & 0x1fu));
      header[6] &= 0xfc;
    }
    at += length;
  }
  return input;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto stream = cochlea::AacStream::make();
  if (!stream) return 0;
  const std::vector<std::uint8_t> input = fitted(data, size);
  cochlea::fuzz::Frames frames(input.data(), input.size());
  cochlea::fuzz::decodeAll(*stream, frames, false);
  return 0;
}
