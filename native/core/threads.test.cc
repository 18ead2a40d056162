#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <thread>
#include <vector>

#include "core/core.h"
#include "test/model.h"

namespace cochlea {
namespace {

constexpr std::size_t kThreads = 4;
constexpr std::uint32_t kStreams = 12;

/// Opens, processes and closes streams of every codec and rate, as a shard does.
/// @returns the number of processed samples
double live(const std::shared_ptr<const SileroModel>& weights, const std::vector<std::uint8_t>& memory) {
  Core core({GateOptions{}, 500, 4, 8, kStreams}, memory.data(), memory.size(), weights, kernels());
  std::vector<double> events(EventWriter::kStride * 512);
  std::vector<std::uint32_t> decisions(512);
  double samples = 0;
  for (int round = 0; round < 2; ++round) {
    std::uint32_t opened = 0;
    for (const Codec codec : {Codec::kPcm8, Codec::kPcm16, Codec::kOpus, Codec::kAac, Codec::kLc3}) {
      for (const std::uint32_t rate : {16000u, 48000u}) {
        opened += core.open(opened, {codec, rate, 1}) == Core::OpenResult::kOpened ? 1 : 0;
      }
    }
    for (std::uint32_t turn = 0; turn < 12; ++turn) {
      for (std::uint32_t handle = 0; handle < opened; ++handle) {
        const std::uint32_t batch[] = {handle, 40 * turn, 40 + handle * 200, turn};
        core.push(batch, 1, turn * 10.0);
      }
      EventWriter writer(events.data(), 512);
      DecisionWriter decided(decisions.data(), decisions.size());
      core.turn(turn * 10.0, true, writer, decided);
    }
    for (std::uint32_t handle = 0; handle < opened; ++handle) {
      EventWriter writer(events.data(), 512);
      DecisionWriter decided(decisions.data(), decisions.size());
      core.flush(handle, writer, decided);
      samples += core.status(handle).position;
      core.close(handle);
    }
  }
  return samples;
}

// Tests data that several shards share: the weights, the tables of the resampler, the choice of an
// instruction set, and opened libraries. The first thread that needs such data creates it. ThreadSanitizer
// checks the accesses.
TEST(Threads, ShareOnlyWhatTheyDoNotChange) {
  std::vector<std::uint8_t> memory(8192);
  std::mt19937 random(5);
  for (auto& byte : memory) byte = static_cast<std::uint8_t>(random());

  const auto weights = test::loadModel();
  std::atomic<bool> started{false};
  std::vector<double> samples(kThreads);
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (std::size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      while (!started) std::this_thread::yield();
      samples[t] = live(weights, memory);
    });
  }
  started = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(samples[0], 0);
  for (std::size_t t = 1; t < kThreads; ++t) EXPECT_EQ(samples[t], samples[0]);
}

}  // namespace
}  // namespace cochlea
