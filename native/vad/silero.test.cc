#include "vad/silero.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "test/model.h"

namespace cochlea {
namespace {

std::shared_ptr<const SileroWeights> weightsFor(const Kernels& kernels, const SileroVariant& half) {
  const auto model = test::loadModel(kernels);
  return half.rate == kWideVariant.rate ? SileroModel::wideOf(model) : SileroModel::narrowOf(model);
}

/// Returns a voice-like buzz with pauses. For this sound, the detector's output covers most of its range.
std::vector<std::int16_t> buzz(std::size_t windows, unsigned seed, const SileroVariant& half) {
  std::mt19937 random(seed);
  std::vector<std::int16_t> pcm(windows * half.window);
  const std::size_t pause = half.rate / 2;
  double phase = 0;
  for (std::size_t i = 0; i < pcm.size(); ++i) {
    const double pitch = 120 + 40 * std::sin(static_cast<double>(i) / (static_cast<double>(pause) / 2));
    phase += pitch / half.rate;
    const bool on = i / pause % 2 == 0;
    const double pulse = phase - std::floor(phase) < 0.1 ? 1 : -0.1;
    pcm[i] = static_cast<std::int16_t>((on ? 9000 * pulse : 0) + static_cast<double>(random() % 200) - 100);
  }
  return pcm;
}

std::vector<float> alone(const Kernels& kernels, const std::vector<std::int16_t>& pcm,
                         const SileroVariant& half) {
  Silero silero(weightsFor(kernels, half), kernels);
  VadState state;
  VadState* states = &state;
  std::vector<float> out(pcm.size() / half.window);
  for (std::size_t w = 0; w < out.size(); ++w) {
    const std::int16_t* window = pcm.data() + w * half.window;
    silero.run(&states, &window, 1, &out[w]);
  }
  return out;
}

class EitherModel : public testing::TestWithParam<SileroVariant> {};

TEST(Silero, RefusesWeightsOfAnotherSize) {
  auto file = test::modelFile();
  ASSERT_EQ(file.size(), SileroModel::fileBytes());
  SileroModel model;
  EXPECT_FALSE(model.load(file.data(), file.size() - 4, kernels()));
}

TEST_P(EitherModel, EveryInstructionSetAgrees) {
  const SileroVariant half = GetParam();
  const auto pcm = buzz(60, 1, half);
  const auto reference = alone(*kernelsNamed(kernelsNamed("scalar") ? "scalar" : "neon"), pcm, half);
  for (const char* isa : {"avx2", "avx512"}) {
    const Kernels* kernels = kernelsNamed(isa);
    if (!kernels) continue;
    const auto found = alone(*kernels, pcm, half);
    for (std::size_t w = 0; w < found.size(); ++w) {
      EXPECT_NEAR(found[w], reference[w], 2e-5) << isa << " " << w;
    }
  }
}

TEST_P(EitherModel, StreamsOfABatchDoNotDisturbEachOther) {
  const SileroVariant half = GetParam();
  constexpr std::size_t kWindows = 40;
  for (std::size_t count : {2u, 3u, 5u, 16u}) {
    Silero silero(weightsFor(kernels(), half), kernels());
    std::vector<VadState> states(count);
    std::vector<std::vector<std::int16_t>> inputs;
    std::vector<std::vector<float>> expected;
    std::vector<VadState*> pointers;
    for (std::size_t b = 0; b < count; ++b) {
      inputs.push_back(buzz(kWindows, static_cast<unsigned>(b), half));
      expected.push_back(alone(kernels(), inputs.back(), half));
      pointers.push_back(&states[b]);
    }
    for (std::size_t w = 0; w < kWindows; ++w) {
      std::vector<const std::int16_t*> windows;
      windows.reserve(inputs.size());
      for (const auto& input : inputs) windows.push_back(input.data() + w * half.window);
      std::vector<float> out(count);
      silero.run(pointers.data(), windows.data(), count, out.data());
      for (std::size_t b = 0; b < count; ++b) EXPECT_EQ(out[b], expected[b][w]);
    }
  }
}

// The input contains sounds of every length from one sample on. It also contains pauses of every length, even
// shorter than a window.
TEST_P(EitherModel, SilenceIsCheapWithoutChangingABit) {
  const SileroVariant half = GetParam();
  constexpr std::size_t kWindows = 400;
  constexpr std::size_t kStreams = 11;
  for (const char* isa : {"scalar", "avx2", "avx512", "neon"}) {
    const Kernels* kernels = kernelsNamed(isa);
    if (!kernels) continue;
    const auto weights = weightsFor(*kernels, half);
    Silero cheap(weights, *kernels);
    Silero full(weights, *kernels, false);
    std::mt19937 random(5);
    std::vector<std::vector<std::int16_t>> inputs;
    for (std::size_t b = 0; b < kStreams; ++b) {
      inputs.push_back(buzz(kWindows, static_cast<unsigned>(b), half));
      for (std::size_t at = 0; at < inputs[b].size();) {
        const std::size_t pause = 1 + random() % (1u << random() % 16);
        const std::size_t end = std::min(inputs[b].size(), at + pause);
        std::fill(inputs[b].begin() + std::ptrdiff_t(at), inputs[b].begin() + std::ptrdiff_t(end),
                  std::int16_t{0});
        at = end + 1 + random() % (1u << random() % 14);
      }
    }
    std::vector<VadState> left(kStreams);
    std::vector<VadState> right(kStreams);
    std::vector<VadState*> lefts;
    std::vector<VadState*> rights;
    for (std::size_t b = 0; b < kStreams; ++b) {
      lefts.push_back(&left[b]);
      rights.push_back(&right[b]);
    }
    for (std::size_t w = 0; w < kWindows; ++w) {
      std::vector<const std::int16_t*> windows;
      windows.reserve(inputs.size());
      for (const auto& input : inputs) windows.push_back(input.data() + w * half.window);
      std::vector<float> found(kStreams);
      std::vector<float> expected(kStreams);
      cheap.run(lefts.data(), windows.data(), kStreams, found.data());
      full.run(rights.data(), windows.data(), kStreams, expected.data());
      ASSERT_EQ(found, expected) << isa << " window " << w;
      for (std::size_t b = 0; b < kStreams; ++b) {
        ASSERT_EQ(left[b].cell, right[b].cell);
        ASSERT_EQ(left[b].context, right[b].context);
      }
    }
  }
}

/// Returns noise whose level changes little.
std::vector<std::int16_t> hiss(std::size_t windows, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::int16_t> pcm(windows * kWindow);
  for (auto& sample : pcm) sample = static_cast<std::int16_t>(static_cast<int>(random() % 200) - 100);
  return pcm;
}

TEST(Silero, SettlesWithoutSkippedWindowsAsIfEachWereProcessed) {
  Silero silero(weightsFor(kernels(), kWideVariant), kernels());
  const auto pcm = buzz(40, 6, kWideVariant);
  VadState one;
  VadState other;
  std::vector<float> expected(40);
  for (std::size_t w = 0; w < 40; ++w) {
    VadState* state = &one;
    const std::int16_t* window = pcm.data() + w * kWindow;
    silero.run(&state, &window, 1, &expected[w]);
  }
  std::vector<float> found(40);
  silero.settle(other, pcm.data(), 7, 0, found.data());
  silero.settle(other, pcm.data() + 7 * kWindow, 33, 0, found.data() + 7);
  for (std::size_t w = 0; w < 40; ++w) EXPECT_NEAR(found[w], expected[w], 1e-5) << w;
  for (std::size_t i = 0; i < one.hidden.size(); ++i) {
    EXPECT_NEAR(one.hidden[i], other.hidden[i], 1e-4);
    EXPECT_NEAR(one.cell[i], other.cell[i], 1e-4);
  }
  EXPECT_EQ(one.context, other.context);
}

TEST(Silero, SettlesToTheStateOfTheSkippedSound) {
  Silero silero(weightsFor(kernels(), kWideVariant), kernels());
  constexpr std::size_t kSkipped = 600;
  constexpr std::size_t kAfter = 20;
  const auto speech = buzz(60, 7, kWideVariant);
  const auto noise = hiss(kSkipped + kAfter, 8);
  VadState whole;
  const auto process = [&](const std::vector<std::int16_t>& pcm) {
    for (std::size_t w = 0; w * kWindow < pcm.size(); ++w) {
      VadState* state = &whole;
      const std::int16_t* window = pcm.data() + w * kWindow;
      float ignored = 0;
      silero.run(&state, &window, 1, &ignored);
    }
  };
  process(speech);
  VadState settled = whole;
  VadState kept = whole;
  process(noise);
  std::vector<float> ignored(kAfter);
  const std::int16_t* after = noise.data() + kSkipped * kWindow;
  settled.skip(after);
  kept.skip(after);
  silero.settle(settled, after, kAfter, kSkipped, ignored.data());
  silero.settle(kept, after, kAfter, 0, ignored.data());
  const auto distance = [&](const VadState& state) {
    double sum = 0;
    for (std::size_t i = 0; i < whole.cell.size(); ++i) sum += std::pow(state.cell[i] - whole.cell[i], 2);
    return std::sqrt(sum);
  };
  EXPECT_LT(distance(settled), 0.2 * distance(kept)) << distance(settled) << " " << distance(kept);
}

INSTANTIATE_TEST_SUITE_P(Silero, EitherModel, testing::Values(kWideVariant, kNarrowVariant),
                         [](const auto& info) { return std::to_string(info.param.rate); });

}  // namespace
}  // namespace cochlea
