// Compares a frame queue with a plain list of the same frames. Bytes 0 and 1 set the limits of the queue. One
// flag removes the oldest frame, another flag removes a part of it.
#include <cstring>
#include <deque>
#include <vector>

#include "fuzz/frames.h"
#include "stream/frame-queue.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cochlea;
  if (size < 2) return 0;
  const std::size_t maxUnits = std::size_t{16} * (1 + data[0]);
  const std::size_t maxBytes = std::size_t{64} * (1 + data[1]);
  FrameQueue queue(maxUnits, maxBytes);
  // For each frame, its bytes that were not consumed. In this test a unit is a byte.
  std::deque<std::vector<std::uint8_t>> kept;
  std::size_t units = 0;
  fuzz::Frames frames(data + 2, size - 2);
  while (frames.next()) {
    const FrameQueue::Loss loss = queue.push(frames.data(), frames.size(), frames.size());
    fuzz::require(loss.frames <= kept.size());
    std::size_t lost = 0;
    for (std::size_t i = 0; i < loss.frames; ++i) {
      lost += kept.front().size();
      kept.pop_front();
    }
    fuzz::require(loss.units == lost && loss.bytes == lost);
    units += frames.size() - lost;
    kept.emplace_back(frames.data(), frames.data() + frames.size());
    fuzz::require(kept.size() == 1 || units <= maxUnits);
    if (frames.flags() & 1) {
      units -= kept.front().size();
      queue.pop();
      kept.pop_front();
    }
    if (frames.flags() & 2 && !queue.empty()) {
      const std::size_t part = std::min(std::size_t{5} * frames.flags(), kept.front().size());
      queue.consume(part, part);
      units -= part;
      kept.front().erase(kept.front().begin(), kept.front().begin() + static_cast<std::ptrdiff_t>(part));
      if (kept.front().empty()) kept.pop_front();
    }
    fuzz::require(queue.empty() == kept.empty() && queue.units() == units);
    if (kept.empty()) continue;
    const FrameQueue::Frame oldest = queue.front();
    fuzz::require(oldest.length == kept.front().size() && oldest.units == oldest.length);
    fuzz::require(oldest.length == 0 || std::memcmp(oldest.bytes, kept.front().data(), oldest.length) == 0);
  }
  return 0;
}
