// Checks parts of the generator that a server cannot observe. Prints each failure. The exit code is 0 if all
// checks pass.
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "clock.h"
#include "handshake.h"
#include "histogram.h"
#include "network.h"
#include "wheel.h"

using namespace cochlea;

namespace {

int failures = 0;

void expect(bool holds, const char* what, double at) {
  if (holds) return;
  ++failures;
  std::printf("%s: %g\n", what, at);
}

/// Checks that every value falls into the bucket that contains it, and that there is no gap between buckets.
/// Checks that no bucket is wider than 0.1 % of its values.
void checkHistogram() {
  for (std::size_t bucket = 0; bucket + 1 < Histogram::kBuckets; ++bucket) {
    const std::uint64_t lower = Histogram::lowerBound(bucket);
    const std::uint64_t upper = Histogram::lowerBound(bucket + 1);
    const auto at = static_cast<double>(bucket);
    expect(lower < upper, "bounds do not rise", at);
    expect(Histogram::bucketOf(lower) == bucket, "a lower bound lies elsewhere", at);
    expect(Histogram::bucketOf(upper - 1) == bucket, "an upper bound lies elsewhere", at);
    expect((upper - 1 - lower) * 1000 <= lower, "wider than 0.1 %", at);
  }
  expect(Histogram::bucketOf(Histogram::kLargest) == Histogram::kBuckets - 1, "the largest value", 0);
  Histogram histogram;
  for (const std::int64_t ns : {std::int64_t{-5}, std::int64_t{999}, std::int64_t{1000}, std::int64_t{1000},
                                std::int64_t{5'000'000'000}, std::int64_t{1} << 62}) {
    histogram.record(ns);
  }
  std::string json;
  histogram.write(json);
  expect(json == "[[0,2],[1,2],[4997120,1],[134152192,1]]", json.c_str(), 0);
  histogram.clear();
  json.clear();
  histogram.write(json);
  expect(json == "[]", json.c_str(), 0);
}

/// Checks the handshake with the example of RFC 6455, section 1.3.
void checkHandshake() {
  expect(webSocketAccept("dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", "accept", 0);
}

struct Watch : Timer {
  std::int64_t at = 0;
  int fired = 0;
};

/// Checks that timers fire once, never early, and in the first round after their step. Their times are within
/// one revolution of the wheel and beyond it. Checks that a loop that sleeps until `wakeAt` misses no timer.
void checkWheel() {
  constexpr std::int64_t kStep = std::int64_t{1} << Wheel::kShift;
  Random random(5);
  std::int64_t now = 123'456'789'012;
  Wheel wheel(now);
  std::vector<std::unique_ptr<Watch>> watches;
  for (int i = 0; i < 3000; ++i) {
    watches.push_back(std::make_unique<Watch>());
    Watch& watch = *watches.back();
    watch.at = now + static_cast<std::int64_t>(random.uniform() * (i % 3 == 0 ? 20.0 : 0.3) * kSecond);
    wheel.arm(watch, watch.at);
    if (i % 7 == 0) wheel.arm(watch, watch.at += kStep / 2);
  }
  const std::int64_t end = now + 25 * kSecond;
  while (now < end) {
    const std::int64_t wake = wheel.wakeAt();
    for (const auto& watch : watches) {
      const std::int64_t passed = ((watch->at >> Wheel::kShift) + 1) << Wheel::kShift;
      expect(watch->fired > 0 || wake <= passed, "would sleep too long", static_cast<double>(wake - passed));
    }
    // The simulated loop usually runs on time, sometimes a little late, and rarely very late, as after a stop
    // of the process.
    const double late = random.uniform();
    now = std::max(now + 1, std::min(wake, end));
    if (late > 0.5) now += kStep / 3;
    if (late > 0.995) now += static_cast<std::int64_t>(late * 6 * kSecond);
    wheel.advance(now, [&](Timer& timer) {
      auto& watch = static_cast<Watch&>(timer);
      expect(watch.at <= now, "fired early", static_cast<double>(watch.at - now));
      ++watch.fired;
    });
    for (const auto& watch : watches) {
      const bool over = (watch->at >> Wheel::kShift) < (now >> Wheel::kShift);
      expect(watch->fired == (over ? 1 : 0), "fired", watch->fired);
    }
    if (wake == kNever) break;
  }
  expect(wheel.wakeAt() == kNever, "an empty wheel", 0);
  wheel.arm(*watches[0], now - kSecond);
  wheel.advance(now + kStep, [&](Timer&) { ++watches[1]->fired; });
  expect(watches[1]->fired == 2, "a time that has passed", watches[1]->fired);
  wheel.arm(*watches[0], now + 5 * kStep);
  wheel.disarm(*watches[0]);
  wheel.advance(now + kSecond, [&](Timer&) { ++watches[1]->fired; });
  expect(watches[1]->fired == 2, "disarmed", watches[1]->fired);
}

/// Checks that packets keep their order. Checks that the jitter has the requested deviation, and
/// that stalls have the requested share and mean length.
void checkNetwork() {
  constexpr int kPackets = 400'000;
  constexpr std::int64_t kFrame = 20 * kMs;
  NetworkOptions jitter;
  jitter.jitterMs = 15;
  Network network;
  network.begin(jitter, Random(1), 0);
  double sum = 0;
  double squares = 0;
  // The time between two packets is so long that no packet delays the next one.
  for (std::int64_t i = 0; i < kPackets; ++i) {
    const std::int64_t delay = network.leaves(jitter, i * kSecond) - i * kSecond;
    expect(delay >= 0, "before it was due", static_cast<double>(delay));
    sum += static_cast<double>(delay) / kMs;
    squares += std::pow(static_cast<double>(delay) / kMs, 2);
  }
  const double deviation = std::sqrt(squares / kPackets - std::pow(sum / kPackets, 2));
  expect(std::fabs(deviation - 15) < 0.3, "deviation of the jitter", deviation);

  NetworkOptions stalls = jitter;
  network.begin(stalls, Random(2), 0);
  std::int64_t last = 0;
  for (std::int64_t i = 0; i < kPackets; ++i) {
    const std::int64_t at = network.leaves(stalls, i * kFrame);
    expect(at >= last && at >= i * kFrame, "out of order", static_cast<double>(i));
    last = at;
  }

  stalls.jitterMs = 0;
  stalls.stallShare = 0.2;
  stalls.stallMs = 400;
  network.begin(stalls, Random(3), 0);
  int held = 0;
  int bursts = 0;
  last = -1;
  for (std::int64_t i = 0; i < kPackets; ++i) {
    const std::int64_t due = i * kFrame;
    const std::int64_t at = network.leaves(stalls, due);
    expect(at >= last && at >= due, "out of order", static_cast<double>(i));
    if (at > due) ++held;
    if (at > due && at != last) ++bursts;
    last = at;
  }
  const double share = static_cast<double>(held) / kPackets;
  expect(std::fabs(share - 0.2) < 0.01, "share of stalls", share);
  // A stall that lies between two packets is not observed. So the mean of the observed stalls is longer than
  // the requested 400 ms.
  const double length = 20.0 * held / bursts;
  expect(std::fabs(length - 410) < 25, "mean length of stalls", length);
}

}  // namespace

int main() {
  checkHistogram();
  checkHandshake();
  checkWheel();
  checkNetwork();
  return failures == 0 ? 0 : 1;
}
