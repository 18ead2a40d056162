// Checks the histogram: every value lies in its bucket, buckets meet, and none is wider than 0.1 % of its values.
#include "histogram.h"

#include <cstdio>

using cochlea::Histogram;

namespace {

int failures = 0;

void expect(bool holds, const char* what, std::uint64_t at) {
  if (holds) return;
  ++failures;
  std::printf("%s: %llu\n", what, static_cast<unsigned long long>(at));
}

}  // namespace

int main() {
  for (std::size_t bucket = 0; bucket + 1 < Histogram::kBuckets; ++bucket) {
    const std::uint64_t lower = Histogram::lowerBound(bucket);
    const std::uint64_t upper = Histogram::lowerBound(bucket + 1);
    expect(lower < upper, "bounds do not rise", bucket);
    expect(Histogram::bucketOf(lower) == bucket, "a lower bound lies elsewhere", bucket);
    expect(Histogram::bucketOf(upper - 1) == bucket, "an upper bound lies elsewhere", bucket);
    expect((upper - 1 - lower) * 1000 <= lower, "wider than 0.1 %", bucket);
  }
  expect(Histogram::bucketOf(Histogram::kLargest) == Histogram::kBuckets - 1, "the largest value", Histogram::kLargest);

  Histogram histogram;
  for (const std::int64_t ns : {std::int64_t{-5}, std::int64_t{999}, std::int64_t{1000}, std::int64_t{1000},
                                std::int64_t{5'000'000'000}, std::int64_t{1} << 62}) {
    histogram.record(ns);
  }
  std::string json;
  histogram.write(json);
  std::printf("%s\n", json.c_str());
  histogram.clear();
  json.clear();
  histogram.write(json);
  std::printf("%s\n", json.c_str());
  return failures == 0 ? 0 : 1;
}
