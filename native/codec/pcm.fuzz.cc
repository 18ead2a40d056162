// Fuzzes messages of raw PCM. Byte 0 selects width and channels. One flag makes the message a lost message.
// Other flags limit the space for samples.
#include <memory>

#include "codec/pcm.h"
#include "fuzz/frames.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cochlea;
  if (size == 0) return 0;
  PcmDecoder decoder((data[0] & 1) != 0, data[0] & 2 ? 2 : 1);
  fuzz::Frames frames(data + 1, size - 1);
  std::size_t bytes = 0;
  std::size_t samples = 0;
  bool lost = false;
  while (frames.next()) {
    bytes += frames.size();
    if (frames.flags() & 1) {
      decoder.skip(frames.size());
      lost = true;
      continue;
    }
    const std::size_t capacity = frames.flags() & 2 ? frames.flags() >> 2 : frames.size() + 1;
    const auto out = std::make_unique<std::int16_t[]>(capacity);
    for (std::size_t at = 0;;) {
      std::size_t consumed = 0;
      const std::size_t written =
          decoder.decode(frames.data() + at, frames.size() - at, out.get(), capacity, &consumed);
      fuzz::require(written <= capacity && consumed <= frames.size() - at);
      at += consumed;
      samples += written;
      if (at == frames.size()) break;
      fuzz::require(capacity == 0 || written == capacity);
      // If there is no space for samples, the rest of the message is lost, as when a stream closes.
      if (capacity == 0) return 0;
    }
  }
  fuzz::require(lost ? samples * decoder.frameBytes() <= bytes : samples == bytes / decoder.frameBytes());
  return 0;
}
