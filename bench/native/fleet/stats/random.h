#pragma once

#include <cmath>
#include <cstdint>

namespace cochlea {

/// SplitMix64 random numbers. The same seed gives the same numbers on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed = 0) : state_(seed) {}

  /// Returns a generator for one purpose of a stream. Each purpose has its own numbers, so further draws for
  /// one purpose do not change those of another.
  static Random of(std::uint64_t seed, std::uint64_t stream, std::uint64_t purpose) {
    Random mixer(seed);
    mixer.state_ ^= mixer.next() + stream * 0x9e3779b97f4a7c15;
    mixer.state_ ^= mixer.next() + purpose * 0xd1342543de82ef95;
    return Random(mixer.next());
  }

  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  /// Returns a uniform number, at least 0 and below 1.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  /// Returns an exponentially distributed number with this mean.
  double exponential(double mean) { return -mean * std::log1p(-uniform()); }

  /// Returns the absolute value of a normal variable, scaled to a standard deviation of 1.
  double halfNormal() {
    constexpr double kTurn = 6.283185307179586;
    constexpr double kDeviation = 0.6028102749890869;  // sqrt(1 - 2 / pi)
    const double radius = std::sqrt(-2 * std::log1p(-uniform()));
    return std::fabs(radius * std::cos(kTurn * uniform())) / kDeviation;
  }

 private:
  std::uint64_t state_;
};

}  // namespace cochlea
