// Fuzzes the resampler with pieces of any size. Bytes 0 to 2 select the rate.
#include <cstring>
#include <memory>

#include "fuzz/frames.h"
#include "resample/resampler.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cochlea;
  if (size < 3) return 0;
  constexpr std::uint32_t kCommon[] = {8000, 11025, 12000, 22050, 24000, 32000, 44100, 48000};
  const std::uint32_t any = 8000 + (unsigned{data[1]} | unsigned{data[2]} << 8) % 40001u;
  const std::uint32_t rate = data[0] < 200 ? kCommon[data[0] % 8] : any;
  if (rate == 16000) return 0;
  Resampler resampler(rate);
  const auto out = std::make_unique<std::int16_t[]>(Resampler::kMaxOutput);
  fuzz::Frames frames(data + 3, size - 3);
  while (frames.next()) {
    const std::size_t count = std::min(frames.size() / 2, Resampler::kMaxInput);
    std::vector<std::int16_t> in(count);
    if (count > 0) std::memcpy(in.data(), frames.data(), 2 * count);
    const std::size_t expected = resampler.outputsFor(count);
    fuzz::require(resampler.process(in.data(), count, out.get(), kernels()) == expected);
    fuzz::require(expected <= Resampler::kMaxOutput && resampler.bytes() < 64 * 1024);
  }
  return 0;
}
