#include "speaker/similarity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

namespace cochlea {
namespace {

class EverySimilarity : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    products_ = productsNamed(GetParam());
    if (!products_) GTEST_SKIP() << "this machine does not run " << GetParam();
  }

  std::vector<Neighbour> find(const std::vector<float>& query, const std::vector<float>& matrix,
                              std::size_t k) const {
    return nearest(query.data(), matrix.data(), matrix.size() / query.size(), query.size(), k, products_);
  }

  ProductsKernel products_ = nullptr;
};

TEST_P(EverySimilarity, MatchesDoublePrecisionForEveryLength) {
  std::mt19937 random(2);
  std::normal_distribution<float> value;
  for (std::size_t dims = 1; dims <= 70; ++dims) {
    constexpr std::size_t kRows = 23;
    // The allocations have exactly the needed lengths, so that a sanitizer finds a read past their end.
    std::vector<float> query(dims), matrix(kRows * dims);
    for (float& v : query) v = value(random);
    for (float& v : matrix) v = value(random);
    std::vector<double> expected(kRows);
    for (std::size_t row = 0; row < kRows; ++row) {
      double ab = 0, aa = 0, bb = 0;
      for (std::size_t i = 0; i < dims; ++i) {
        const double a = query[i], b = matrix[row * dims + i];
        ab += a * b;
        aa += a * a;
        bb += b * b;
      }
      expected[row] = ab / std::sqrt(aa * bb);
    }
    const auto all = find(query, matrix, kRows + 5);
    ASSERT_EQ(all.size(), kRows);
    for (const Neighbour& n : all) ASSERT_NEAR(n.similarity, expected[n.row], 1e-6) << dims;
    for (std::size_t i = 1; i < all.size(); ++i) ASSERT_GE(all[i - 1].similarity, all[i].similarity);
    for (const std::size_t k : {0, 1, 7}) {
      const auto few = find(query, matrix, k);
      ASSERT_EQ(few.size(), k);
      for (std::size_t i = 0; i < k; ++i) ASSERT_EQ(few[i].row, all[i].row);
    }
  }
}

TEST_P(EverySimilarity, TiesKeepTheirOrder) {
  constexpr std::size_t kDims = 33;
  std::vector<float> query(kDims);
  std::iota(query.begin(), query.end(), -5.0f);
  std::vector<float> matrix;
  for (int row = 0; row < 40; ++row) {
    for (const float v : query) matrix.push_back(row % 3 == 0 ? v : -v);
  }
  const auto found = find(query, matrix, 20);
  ASSERT_EQ(found.size(), 20u);
  for (std::size_t i = 0; i < 14; ++i) EXPECT_EQ(found[i].row, 3 * i);
  for (std::size_t i = 14, row = 1; i < 20; ++i, row += row % 3 == 1 ? 1 : 2) EXPECT_EQ(found[i].row, row);
}

TEST_P(EverySimilarity, TakesZerosAndLeavesOutWhatIsNoNumber) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinite = std::numeric_limits<float>::infinity();
  const auto found = find({1, 2}, {0, 0, nan, 1, infinite, 0, 1e30f, 1e30f, 2, 4, -1, -2}, 9);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].row, 4u);
  EXPECT_FLOAT_EQ(found[0].similarity, 1);
  EXPECT_EQ(found[1].row, 0u);
  EXPECT_EQ(found[1].similarity, 0);
  EXPECT_EQ(found[2].row, 5u);
  EXPECT_TRUE(find({nan, 1}, {1, 2}, 1).empty());
  EXPECT_EQ(find({0, 0}, {1, 2}, 1).front().similarity, 0);
}

INSTANTIATE_TEST_SUITE_P(Isa, EverySimilarity, testing::Values("scalar", "avx2", "avx512", "neon"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace cochlea
