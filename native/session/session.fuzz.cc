// A stream fed by a fuzzer: the first byte picks the format, then frames follow, each behind a byte that says how long it
// is and whether the stream is worked off after it.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "session/session.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cochlea;
  if (size < 2) return 0;
  constexpr std::uint32_t kRates[] = {8000, 11025, 16000, 44100, 48000};
  const Format format{static_cast<Codec>(data[0] % 3), kRates[data[0] / 3 % 5], 1u + data[0] / 128};
  Session session(0, format, GateOptions{}, 100, kernels());
  if (!session.init()) return 0;
  double memory[EventWriter::kStride * 64];
  for (std::size_t at = 1; at < size;) {
    const std::uint8_t head = data[at++];
    const std::size_t length = std::min<std::size_t>(head & 0x7f, size - at);
    session.push(data + at, length);
    at += length;
    if (head < 0x80) continue;
    EventWriter events(memory, 64);
    while (session.fill(events)) session.advance(length % 2 == 0 ? 0.9f : 0.0f, events);
    while (session.take()) {
    }
  }
  EventWriter events(memory, 64);
  session.finish(events);
  if (session.bytes() > 512 * 1024) __builtin_trap();
  return 0;
}
