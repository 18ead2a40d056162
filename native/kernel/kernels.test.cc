#include "kernel/kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "kernel/fourier.h"

namespace cochlea {
namespace {

std::vector<float> noise(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> value(-1, 1);
  std::vector<float> values(count);
  for (float& v : values) v = value(random);
  return values;
}

class EveryKernel : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    kernels_ = kernelsNamed(GetParam());
    if (!kernels_) GTEST_SKIP() << "this machine does not run " << GetParam();
  }

  const Kernels* kernels_ = nullptr;
};

TEST_P(EveryKernel, MultipliesEveryRowCount) {
  constexpr std::size_t kDepth = 37;
  constexpr std::size_t kOutputs = 50;
  const std::size_t panel = kernels_->panel;
  const std::size_t width = roundUp(kOutputs, panel);
  const std::vector<float> weights = noise(kOutputs * kDepth, 1);
  std::vector<float> packed(width * kDepth);
  for (std::size_t n = 0; n < kOutputs; ++n) {
    for (std::size_t k = 0; k < kDepth; ++k) {
      packed[n / panel * panel * kDepth + k * panel + n % panel] = weights[n * kDepth + k];
    }
  }
  std::vector<float> bias = noise(width, 2);
  for (std::size_t rowCount = 1; rowCount <= 19; ++rowCount) {
    const std::vector<float> in = noise(rowCount * kDepth, 3);
    std::vector<float> out(rowCount * width);
    std::vector<const float*> rows;
    std::vector<float*> outs;
    for (std::size_t r = 0; r < rowCount; ++r) {
      rows.push_back(in.data() + r * kDepth);
      outs.push_back(out.data() + r * width);
    }
    kernels_->multiply(rows.data(), rowCount, kDepth, packed.data(), kDepth, bias.data(), kOutputs,
                       outs.data());
    for (std::size_t r = 0; r < rowCount; ++r) {
      for (std::size_t n = 0; n < kOutputs; ++n) {
        double expected = bias[n];
        for (std::size_t k = 0; k < kDepth; ++k) expected += double(rows[r][k]) * weights[n * kDepth + k];
        ASSERT_NEAR(out[r * width + n], expected, 1e-5)
            << "row " << r << " of " << rowCount << ", output " << n;
      }
    }
  }
}

TEST_P(EveryKernel, DotTakesEveryLength) {
  for (std::size_t length = 0; length < 70; ++length) {
    const std::vector<float> a = noise(length, 4);
    const std::vector<float> b = noise(length, 5);
    double expected = 0;
    for (std::size_t i = 0; i < length; ++i) expected += double(a[i]) * b[i];
    EXPECT_NEAR(kernels_->dot(a.data(), b.data(), length), expected, 1e-5) << length;
  }
}

TEST_P(EveryKernel, MultipliesARowAlikeWhateverItIsBatchedWith) {
  constexpr std::size_t kDepth = 100;
  const std::size_t outputs = 9 * kernels_->panel;
  const std::vector<float> packed = noise(outputs * kDepth, 1);
  const std::vector<float> bias = noise(outputs, 2);
  const std::vector<float> row = noise(kDepth, 3);
  std::vector<float> expected(outputs);
  const float* in = row.data();
  float* out = expected.data();
  kernels_->multiply(&in, 1, kDepth, packed.data(), kDepth, bias.data(), outputs, &out);
  for (std::size_t rowCount = 2; rowCount <= 19; ++rowCount) {
    std::vector<float> found(rowCount * outputs);
    const std::vector<const float*> rows(rowCount, in);
    std::vector<float*> outs(rowCount);
    for (std::size_t r = 0; r < rowCount; ++r) outs[r] = found.data() + r * outputs;
    kernels_->multiply(rows.data(), rowCount, kDepth, packed.data(), kDepth, bias.data(), outputs,
                       outs.data());
    for (std::size_t r = 0; r < rowCount; ++r) {
      ASSERT_EQ(std::vector<float>(outs[r], outs[r] + outputs), expected)
          << "row " << r << " of " << rowCount;
    }
  }
}

TEST_P(EveryKernel, MultipliesInTwoPartsAsInOne) {
  constexpr std::size_t kDepth = 90;
  constexpr std::size_t kFirst = 41;
  const std::size_t panel = kernels_->panel;
  const std::size_t outputs = 5 * panel;
  const std::vector<float> packed = noise(outputs * kDepth, 1);
  const std::vector<float> bias = noise(outputs, 2);
  for (std::size_t rowCount : {1u, 2u, 3u, 9u}) {
    const std::vector<float> in = noise(rowCount * kDepth, 3);
    std::vector<float> whole(rowCount * outputs);
    std::vector<float> parts(rowCount * outputs);
    for (std::size_t r = 0; r < rowCount; ++r) {
      const float* row = in.data() + r * kDepth;
      float* out = parts.data() + r * outputs;
      kernels_->multiply(&row, 1, kFirst, packed.data(), kDepth, bias.data(), outputs, &out);
      const std::vector<float> sums(out, out + outputs);
      row += kFirst;
      kernels_->multiply(&row, 1, kDepth - kFirst, packed.data() + kFirst * panel, kDepth, sums.data(),
                         outputs, &out);
    }
    std::vector<const float*> rows;
    std::vector<float*> outs;
    for (std::size_t r = 0; r < rowCount; ++r) {
      rows.push_back(in.data() + r * kDepth);
      outs.push_back(whole.data() + r * outputs);
    }
    kernels_->multiply(rows.data(), rowCount, kDepth, packed.data(), kDepth, bias.data(), outputs,
                       outs.data());
    EXPECT_EQ(parts, whole) << rowCount;
  }
}

void spectrumMatchesItsFormula(const Kernels& kernels, std::size_t size) {
  constexpr double kPi = 3.14159265358979323846;
  const std::size_t bins = fourierBins(size);
  constexpr std::size_t kFrames = 37;
  std::vector<float> samples = noise(kFrames * size, 8);
  // The first frames test the first and the last bin: zeros, a constant, and the highest frequency.
  for (std::size_t n = 0; n < size; ++n) {
    samples[n] = 0;
    samples[size + n] = 1;
    samples[2 * size + n] = n % 2 ? -1.0f : 1.0f;
  }
  std::vector<double> expected(kFrames * bins);
  for (std::size_t f = 0; f < kFrames; ++f) {
    for (std::size_t k = 0; k < bins; ++k) {
      double re = 0;
      double im = 0;
      for (std::size_t n = 0; n < size; ++n) {
        const double x = samples[f * size + n] * (0.5 - 0.5 * std::cos(2 * kPi * double(n) / double(size)));
        const double angle = 2 * kPi * double(k * n % size) / double(size);
        re += x * std::cos(angle);
        im -= x * std::sin(angle);
      }
      expected[f * bins + k] = std::hypot(re, im);
    }
  }
  std::vector<float> alone;
  for (std::size_t count = 1; count <= kFrames; ++count) {
    std::vector<float> found(kFrames * bins);
    std::vector<const float*> frames;
    std::vector<float*> outs;
    for (std::size_t f = 0; f < count; ++f) {
      frames.push_back(samples.data() + f * size);
      outs.push_back(found.data() + f * bins);
    }
    kernels.spectrum(size, frames.data(), count, outs.data());
    for (std::size_t i = 0; i < count * bins; ++i) {
      ASSERT_NEAR(found[i], expected[i], 2e-5) << size << " " << count << " " << i;
    }
    for (std::size_t i = count * bins; i < found.size(); ++i) {
      ASSERT_EQ(found[i], 0) << "written past the end";
    }
    alone.insert(alone.end(), found.begin() + static_cast<std::ptrdiff_t>((count - 1) * bins),
                 found.begin() + static_cast<std::ptrdiff_t>(count * bins));
    ASSERT_EQ(std::vector<float>(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count * bins)),
              alone)
        << "a frame depends on what it is batched with";
  }
}

TEST_P(EveryKernel, SpectrumMatchesItsFormula) {
  for (const std::size_t size : {128u, 256u}) spectrumMatchesItsFormula(*kernels_, size);
}

TEST_P(EveryKernel, LstmMatchesItsFormula) {
  constexpr std::size_t kSize = 128;
  // The largest scale saturates sigmoid and tanh at both ends.
  for (const float scale : {0.1f, 1.0f, 10.0f, 200.0f}) {
    std::vector<float> gates = noise(4 * kSize, 6);
    for (float& g : gates) g *= scale;
    std::vector<float> cell = noise(kSize, 7);
    const std::vector<float> before = cell;
    std::vector<float> hidden(kSize);
    kernels_->lstm(gates.data(), cell.data(), hidden.data(), kSize);
    const auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
    for (std::size_t i = 0; i < kSize; ++i) {
      const double c =
          sigmoid(gates[kSize + i]) * before[i] + sigmoid(gates[i]) * std::tanh(gates[2 * kSize + i]);
      EXPECT_NEAR(cell[i], c, 2e-6) << scale;
      EXPECT_NEAR(hidden[i], sigmoid(gates[3 * kSize + i]) * std::tanh(c), 2e-6) << scale;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Isa, EveryKernel, testing::Values("scalar", "avx2", "avx512", "neon"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace cochlea
