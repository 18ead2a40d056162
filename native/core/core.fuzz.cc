// Fuzzes a core with commands. The commands push frames at any offset inside or outside the core's memory.
// They also open, flush and close streams at any time. Each command is one byte that selects the command and
// a stream, followed by its arguments.
#include <array>
#include <memory>
#include <random>

#include "core/core.h"
#include "fuzz/frames.h"

namespace {

using namespace cochlea;

/// Creates a model with random weights. The fuzzer only tests how the detector is called, so its results do
/// not matter.
std::shared_ptr<const SileroModel> noise() {
  static const std::shared_ptr<const SileroModel> weights = [] {
    std::mt19937 random(1);
    std::uniform_real_distribution<float> value(-0.05f, 0.05f);
    std::vector<float> floats(SileroModel::fileBytes() / sizeof(float));
    for (float& weight : floats) weight = value(random);
    auto loaded = std::make_shared<SileroModel>();
    fuzz::require(loaded->load(reinterpret_cast<const std::uint8_t*>(floats.data()), SileroModel::fileBytes(),
                               kernels()));
    return loaded;
  }();
  return weights;
}

class Commands {
 public:
  Commands(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  bool more() const { return at_ < size_; }
  std::uint32_t byte() { return at_ < size_ ? data_[at_++] : 0; }
  std::uint32_t word() {
    const std::uint32_t low = byte();
    return low | byte() << 8;
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
  std::size_t at_ = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kEvents = 256;
  constexpr std::size_t kDecisions = 64;
  constexpr std::uint32_t kRates[] = {16000, 8000, 44100, 32000, 48000};
  // A copy of the input serves as the memory that contains the frames.
  const std::vector<std::uint8_t> memory(data, data + size);
  CoreOptions options{{}, 200, 16, 8, 8};
  options.gate.minSpeech = 512;
  if (size % 2 == 1) options.budget = {4, 400};
  Core core(options, memory.data(), memory.size(), noise(), kernels());
  const auto space = std::make_unique<double[]>(EventWriter::kStride * kEvents);
  const auto arrivals = std::make_unique<std::uint32_t[]>(kDecisions);
  const std::size_t samples = Core::audioSpace(options) + options.audioChunk;
  const auto pcm = std::make_unique<std::int16_t[]>(samples);
  // For each stream, the position up to which its audio was returned.
  std::array<double, 8> handedOut{};
  Commands commands(data, size);
  double now = 0;
  // Limits the audio to one and a half seconds, because processing audio takes most of the time.
  std::size_t turns = 0;
  std::uint32_t frames = 0;
  while (commands.more() && turns < 64) {
    const std::uint32_t head = commands.byte();
    // The handles include one beyond the last valid handle, because the core must refuse it.
    const std::uint32_t handle = head >> 4 & 7 ? head >> 4 : head >> 3;
    EventWriter events(space.get(), kEvents);
    DecisionWriter decided(arrivals.get(), kDecisions);
    AudioWriter audio(pcm.get(), samples);
    switch (head % 8) {
      case 0:
      case 1: {
        const std::uint32_t shape = commands.byte();
        const Format format{static_cast<Codec>(shape % 6), kRates[shape / 6 % 5], 1 + (shape >> 7)};
        if (core.open(handle, format) == Core::OpenResult::kOpened) handedOut[handle] = 0;
        break;
      }
      case 2:
      case 3: {
        const std::uint32_t batch[] = {handle,     commands.word(), commands.word() & 0xfff, frames + 1,
                                       handle + 1, commands.byte(), commands.byte(),         frames + 2};
        frames += 2;
        core.push(batch, 2, now);
        break;
      }
      case 4:
        now += commands.byte();
        core.turn(now, (head & 8) != 0, events, decided, audio);
        ++turns;
        fuzz::require(core.due(now) >= 0);
        break;
      case 5:
        core.flush(handle, events, decided, audio);
        turns += 4;
        break;
      case 6:
        core.choose(handle, static_cast<AudioNeed>(commands.byte() % 3));
        break;
      default:
        core.close(handle);
        fuzz::require(core.status(handle).bytes == 0);
    }
    fuzz::require(arrivals[0] < kDecisions);
    for (std::uint32_t i = 1; i <= arrivals[0]; ++i) fuzz::require(arrivals[i] >= 1 && arrivals[i] <= frames);
    for (std::size_t i = 0; i < events.count(); ++i) {
      const double* event = space.get() + EventWriter::kStride * i;
      const auto of = static_cast<std::uint32_t>(event[0]);
      fuzz::require(of < options.maxStreams && core.status(of).bytes > 0);
      if (event[1] == static_cast<double>(EventKind::kAudio)) {
        fuzz::require(event[4] >= 1 && event[3] + event[4] <= static_cast<double>(audio.count()));
        fuzz::require(event[2] >= handedOut[of]);
        handedOut[of] = event[2] + event[4];
      }
      if (event[1] == static_cast<double>(EventKind::kUtterance)) {
        fuzz::require(core.takeUtterance(of).has_value());
      }
    }
  }
  return 0;
}
