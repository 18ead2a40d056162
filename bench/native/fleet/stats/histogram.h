#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace cochlea {

/// A histogram of times in us. Times are exact below 2,048 us and exact within 0.1 % up to 134 s. Longer times count as 134 s.
class Histogram {
 public:
  Histogram() : counts_(kBuckets) {}

  /// @param ns a time; negative times count as 0.
  void record(std::int64_t ns) {
    const std::int64_t us = ns < 0 ? 0 : ns / 1000;
    ++counts_[bucketOf(us > kLargest ? kLargest : static_cast<std::uint64_t>(us))];
  }

  void clear() { counts_.assign(kBuckets, 0); }

  /// Appends `[[lower bound in us, count], ...]` for the buckets that are not empty, in order.
  void write(std::string& json) const;

  static std::size_t bucketOf(std::uint64_t us) {
    if (us < kExact) return us;
    const unsigned shift = 63 - kBits - static_cast<unsigned>(__builtin_clzll(us));
    return shift * kHalf + (us >> shift);
  }

  static std::uint64_t lowerBound(std::size_t bucket) {
    if (bucket < kExact) return bucket;
    const std::size_t shift = bucket / kHalf - 1;
    return (bucket - shift * kHalf) << shift;
  }

  static constexpr std::size_t kBits = 10;
  /// Number of buckets per octave.
  static constexpr std::size_t kHalf = std::size_t{1} << kBits;
  static constexpr std::size_t kExact = 2 * kHalf;
  static constexpr std::int64_t kLargest = (std::int64_t{1} << 27) - 1;
  static constexpr std::size_t kBuckets = (27 - kBits + 1) * kHalf;

 private:
  std::vector<std::uint64_t> counts_;
};

}  // namespace cochlea
