#include "speaker/mel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace cochlea {
namespace {

constexpr double kPi = 3.14159265358979323846;

/// Computes the bands directly from their definition, in double precision and without folding.
std::vector<double> reference(const std::vector<std::int16_t>& pcm, double gain) {
  const auto hertz = [](double mel) {
    return mel < 15 ? mel * 200 / 3 : 1000 * std::exp((mel - 15) * std::log(6.4) / 27);
  };
  const double top = 15 + std::log(8.0) * 27 / std::log(6.4);
  std::vector<double> edges(42);
  for (int i = 0; i < 42; ++i) edges[i] = hertz(top * i / 41);

  std::vector<double> out;
  const auto samples = static_cast<std::ptrdiff_t>(pcm.size());
  for (std::size_t t = 0; t < 1 + pcm.size() / 160; ++t) {
    std::vector<double> power(201);
    for (int k = 0; k <= 200; ++k) {
      double re = 0, im = 0;
      for (int i = 0; i < 400; ++i) {
        const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(t) * 160 - 200 + i;
        if (at < 0 || at >= samples) continue;
        const double x = pcm[at] / 32768.0 * gain * (0.5 - 0.5 * std::cos(2 * kPi * i / 400));
        re += x * std::cos(2 * kPi * i * k / 400);
        im -= x * std::sin(2 * kPi * i * k / 400);
      }
      power[k] = re * re + im * im;
    }
    for (int m = 0; m < 40; ++m) {
      double sum = 0;
      for (int k = 0; k <= 200; ++k) {
        const double f = k * 40.0;
        const double weight = std::min((f - edges[m]) / (edges[m + 1] - edges[m]),
                                       (edges[m + 2] - f) / (edges[m + 2] - edges[m + 1]));
        sum += std::max(0.0, weight) * 2 / (edges[m + 2] - edges[m]) * power[k];
      }
      out.push_back(sum);
    }
  }
  return out;
}

class EveryMel : public testing::TestWithParam<const char*> {};

TEST_P(EveryMel, MatchesItsDefinition) {
  const Kernels* kernels = kernelsNamed(GetParam());
  if (!kernels) GTEST_SKIP() << "this machine does not run " << GetParam();
  std::mt19937 random(1);
  std::uniform_int_distribution<int> noise(-3000, 3000);
  // Lengths near the length of a hop, of a window, or of a block of frames.
  for (const std::size_t samples : {0, 1, 159, 160, 199, 400, 401, 2399, 2560, 5000}) {
    std::vector<std::int16_t> pcm(samples);
    for (std::size_t i = 0; i < samples; ++i) {
      pcm[i] = static_cast<std::int16_t>(9000 * std::sin(0.11 * static_cast<double>(i)) + noise(random));
    }
    const std::vector<double> expected = reference(pcm, 1.7);
    ASSERT_EQ(expected.size(), Mel::frames(samples) * Mel::kBands);
    std::vector<float> bands(expected.size());
    Mel::spectrogram(pcm.data(), samples, 1.7f, bands.data(), *kernels);
    const double peak = *std::max_element(expected.begin(), expected.end());
    for (std::size_t i = 0; i < bands.size(); ++i) {
      ASSERT_NEAR(bands[i], expected[i], peak * 1e-6) << samples << ", " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Isa, EveryMel, testing::Values("scalar", "avx2", "avx512", "neon"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace cochlea
