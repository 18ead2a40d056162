#pragma once

#include <time.h>

#include <cstdint>

namespace cochlea {

/// Returns the time of a monotonic clock in ns.
inline std::int64_t clockNow() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

/// Returns the CPU time in ns that this process has used.
inline std::int64_t cpuNow() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

constexpr std::int64_t kMs = 1'000'000;
constexpr std::int64_t kSecond = 1'000'000'000;
/// A time in ns that is never reached.
constexpr std::int64_t kNever = INT64_MAX;

}  // namespace cochlea
