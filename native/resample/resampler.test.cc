#include "resample/resampler.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <vector>

namespace cochlea {
namespace {

constexpr double kPi = 3.14159265358979323846;

std::vector<std::int16_t> tone(std::uint32_t rate, double hertz, double amplitude, std::size_t count) {
  std::vector<std::int16_t> pcm(count);
  for (std::size_t i = 0; i < count; ++i) {
    pcm[i] = static_cast<std::int16_t>(
        std::lrint(amplitude * std::sin(2 * kPi * hertz * static_cast<double>(i) / rate)));
  }
  return pcm;
}

std::vector<std::int16_t> resample(std::uint32_t rate, const std::vector<std::int16_t>& in,
                                   std::size_t step) {
  Resampler resampler(rate);
  std::vector<std::int16_t> out;
  std::int16_t chunk[Resampler::kMaxOutput];
  for (std::size_t at = 0; at < in.size(); at += step) {
    const std::size_t count = std::min(step, in.size() - at);
    const std::size_t promised = resampler.outputsFor(count);
    const std::size_t written = resampler.process(in.data() + at, count, chunk, kernels());
    EXPECT_EQ(written, promised);
    out.insert(out.end(), chunk, chunk + written);
  }
  return out;
}

/// Returns the amplitude and the phase of a signal at a frequency. Samples near both ends do not count.
std::complex<double> at(const std::vector<std::int16_t>& pcm, double hertz) {
  std::complex<double> sum = 0;
  double weight = 0;
  const std::size_t from = 1600;
  const std::size_t to = pcm.size() - 1600;
  for (std::size_t i = from; i < to; ++i) {
    const double hann =
        1 - std::cos(2 * kPi * static_cast<double>(i - from) / static_cast<double>(to - from));
    sum += hann * pcm[i] * std::polar(1.0, -2 * kPi * hertz * static_cast<double>(i) / 16000);
    weight += hann;
  }
  return 2.0 * sum / weight;
}

class EveryRate : public testing::TestWithParam<std::uint32_t> {};

TEST_P(EveryRate, KeepsThePassbandInLevelAndInTime) {
  const std::uint32_t rate = GetParam();
  const double top = std::min(rate, 16000u) / 2.0 * 0.87;
  for (const double hertz : {100.0, 1000.0, top}) {
    const auto out = resample(rate, tone(rate, hertz, 10000, rate), 480);
    const std::complex<double> found = at(out, hertz);
    EXPECT_NEAR(20 * std::log10(std::abs(found) / 10000), 0, 0.1) << hertz;
    // The sine starts at phase 0, so a delay would change the measured phase.
    const double samples = (std::arg(found) + kPi / 2) / (2 * kPi * hertz) * 16000;
    EXPECT_NEAR(samples, 0, 0.05) << hertz;
  }
}

TEST_P(EveryRate, LetsNoAliasThrough) {
  const std::uint32_t rate = GetParam();
  if (rate <= 18000) return;
  for (const double hertz : {8100.0, rate * 0.45, rate * 0.49}) {
    if (hertz < 8000) continue;
    double folded = std::fmod(hertz, 16000);
    folded = folded > 8000 ? 16000 - folded : folded;
    const auto out = resample(rate, tone(rate, hertz, 20000, rate), 480);
    EXPECT_LT(20 * std::log10(std::abs(at(out, folded)) / 20000), -80) << hertz;
  }
}

TEST_P(EveryRate, DoesNotDependOnHowTheInputIsCut) {
  const std::uint32_t rate = GetParam();
  const auto in = tone(rate, 777, 12000, rate / 4);
  const auto whole = resample(rate, in, 480);
  for (const std::size_t step : {1u, 7u, 160u, 441u}) EXPECT_EQ(resample(rate, in, step), whole) << step;
  EXPECT_NEAR(static_cast<double>(whole.size()), 4000, 200);
}

INSTANTIATE_TEST_SUITE_P(Rates, EveryRate,
                         testing::Values(8000u, 11025u, 12000u, 22050u, 24000u, 32000u, 44100u, 47999u,
                                         48000u));

TEST(Resampler, ClipsInsteadOfWrapping) {
  const std::vector<std::int16_t> loud(4800, 32767);
  for (const std::int16_t sample : resample(48000, loud, 480)) EXPECT_GE(sample, 0);
}

}  // namespace
}  // namespace cochlea
