// Fuzzes a stream. Byte 0 selects the format. One flag decodes the queued frames. Another flag simulates that
// the detector finds speech in the decoded windows.
#include "stream/stream.h"

#include <memory>

#include "fuzz/frames.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cochlea;
  if (size < 2) return 0;
  constexpr std::uint32_t kRates[] = {16000, 8000, 44100, 32000, 48000};
  constexpr std::size_t kEvents = 64;
  const Format format{static_cast<Codec>(data[0] % 6), kRates[data[0] / 6 % 5], 1u + data[0] / 128};
  // With this budget, one input suffices to use up the budget and to recover.
  const BudgetOptions budget{4, data[1] & 1 ? 300.0 : 0.0};
  // A stream that rests needs a longer queue.
  const bool rests = (data[1] & 4) != 0;
  Stream stream(0, format, GateOptions{}, rests ? 2000 : 100, kernels(),
                data[1] & 3 ? budget : BudgetOptions{}, rests);
  if (!stream.init()) return 0;
  const auto space = std::make_unique<double[]>(EventWriter::kStride * kEvents);
  double now = 0;
  fuzz::Frames frames(data + 1, size - 1);
  while (frames.next()) {
    if (frames.flags() & 8) stream.lose(1 + frames.size() % 7, 3 * frames.size());
    stream.push(frames.data(), frames.size(), 0, now);
    now += frames.flags() & 4 ? 60 : 1;
    if (!(frames.flags() & 1)) continue;
    for (;;) {
      EventWriter events(space.get(), kEvents);
      if (!stream.fill(events)) break;
      stream.advance(frames.flags() & 2 ? 0.9f : 0.0f, events);
      fuzz::require(events.count() <= Stream::kEventsPerWindow);
      while (stream.take()) {
      }
    }
    fuzz::require(stream.windowsReady() == 0);
  }
  stream.wake();
  EventWriter events(space.get(), kEvents);
  while (stream.fill(events)) stream.advance(0.0f, events);
  const std::int64_t position = stream.position();
  stream.finish(events);
  fuzz::require(stream.position() == position && !stream.speaking());
  fuzz::require(stream.bytes() < 1024 * 1024);
  return 0;
}
