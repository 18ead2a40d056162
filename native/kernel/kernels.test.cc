#include "kernel/kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

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
    kernels_->multiply(rows.data(), rowCount, kDepth, packed.data(), bias.data(), kOutputs, outs.data());
    for (std::size_t r = 0; r < rowCount; ++r) {
      for (std::size_t n = 0; n < kOutputs; ++n) {
        double expected = bias[n];
        for (std::size_t k = 0; k < kDepth; ++k) expected += double(rows[r][k]) * weights[n * kDepth + k];
        ASSERT_NEAR(out[r * width + n], expected, 1e-5) << "row " << r << " of " << rowCount << ", output " << n;
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

TEST_P(EveryKernel, LstmMatchesItsFormula) {
  constexpr std::size_t kSize = 128;
  // Wide enough to reach both ends of sigmoid and tanh.
  for (const float scale : {0.1f, 1.0f, 10.0f, 200.0f}) {
    std::vector<float> gates = noise(4 * kSize, 6);
    for (float& g : gates) g *= scale;
    std::vector<float> cell = noise(kSize, 7);
    const std::vector<float> before = cell;
    std::vector<float> hidden(kSize);
    kernels_->lstm(gates.data(), cell.data(), hidden.data(), kSize);
    const auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
    for (std::size_t i = 0; i < kSize; ++i) {
      const double c = sigmoid(gates[kSize + i]) * before[i] + sigmoid(gates[i]) * std::tanh(gates[2 * kSize + i]);
      EXPECT_NEAR(cell[i], c, 2e-6) << scale;
      EXPECT_NEAR(hidden[i], sigmoid(gates[3 * kSize + i]) * std::tanh(c), 2e-6) << scale;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Isa, EveryKernel, testing::Values("scalar", "avx2", "avx512", "neon"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace cochlea
