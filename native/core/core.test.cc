#include "core/core.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

#include "test/model.h"

namespace cochlea {
namespace {

using Arrivals = std::vector<std::uint32_t>;

class CoreTest : public testing::Test {
 protected:
  CoreTest() {
    core_ = std::make_unique<Core>(CoreOptions{GateOptions{}, 2000, 4, 8, 32}, memory_.data(), memory_.size(),
                                   test::loadModel(), kernels());
  }

  void push(std::uint32_t handle, std::uint32_t length, double now, std::uint32_t arrival = 0) {
    const std::uint32_t batch[Core::kBatchStride] = {handle, 0, length, arrival};
    core_->push(batch, 1, now);
  }

  std::size_t turn(double now, bool force = false, std::size_t capacity = 1000,
                   std::size_t decisions = 1000) {
    events_.assign(capacity * EventWriter::kStride, 0);
    decided_.assign(1 + decisions, 0);
    EventWriter writer(events_.data(), capacity);
    DecisionWriter decided(decided_.data(), decided_.size());
    core_->turn(now, force, writer, decided);
    return writer.count();
  }

  std::size_t flush(std::uint32_t handle, std::size_t capacity = 1000) {
    events_.assign(capacity * EventWriter::kStride, 0);
    decided_.assign(1001, 0);
    EventWriter writer(events_.data(), capacity);
    DecisionWriter decided(decided_.data(), decided_.size());
    core_->flush(handle, writer, decided);
    return writer.count();
  }

  /// Returns the arrival times of the windows for which the last call decided about speech.
  Arrivals decided() const { return {decided_.begin() + 1, decided_.begin() + 1 + decided_[0]}; }

  std::vector<std::uint8_t> memory_ = std::vector<std::uint8_t>(65536);
  std::vector<double> events_;
  std::vector<std::uint32_t> decided_;
  std::unique_ptr<Core> core_;
};

constexpr Format kPcm{Codec::kPcm16, 16000, 1};

TEST_F(CoreTest, WaitsForWindowsOrForAge) {
  for (std::uint32_t h = 0; h < 4; ++h) ASSERT_EQ(core_->open(h, kPcm), Core::OpenResult::kOpened);
  EXPECT_EQ(core_->due(0), std::numeric_limits<double>::infinity());
  push(0, 1022, 100);
  EXPECT_EQ(core_->due(100), std::numeric_limits<double>::infinity()) << "no complete window yet";
  push(0, 2, 101);
  EXPECT_EQ(core_->due(101), 8);
  turn(105);
  EXPECT_EQ(core_->status(0).decoded, 0) << "not due yet";
  turn(109);
  EXPECT_EQ(core_->status(0).position, 512);
  for (std::uint32_t h = 0; h < 4; ++h) push(h, 1024, 110);
  EXPECT_EQ(core_->due(110), 0) << "four windows are enough";
}

TEST_F(CoreTest, TakesWindowsOfBothRatesInOneTurn) {
  for (std::uint32_t h = 0; h < 4; ++h) {
    ASSERT_EQ(core_->open(h, {Codec::kPcm16, h % 2 == 0 ? 16000u : 8000u, 1}), Core::OpenResult::kOpened);
  }
  for (std::uint32_t h = 0; h < 3; ++h) push(h, h % 2 == 0 ? 1024 : 512, 100.0 + h);
  EXPECT_EQ(core_->due(102), 6) << "the oldest window counts, whatever its rate";
  push(3, 512, 103);
  EXPECT_EQ(core_->due(103), 0) << "four windows are enough, whatever their rate";
  turn(103);
  for (std::uint32_t h = 0; h < 4; ++h) EXPECT_EQ(core_->status(h).position, 512) << h;
  EXPECT_EQ(core_->due(103), std::numeric_limits<double>::infinity());
  push(3, 512, 110);
  EXPECT_EQ(core_->due(110), 8);
  core_->close(3);
  EXPECT_EQ(core_->due(110), std::numeric_limits<double>::infinity()) << "a closed stream waits for nothing";
}

TEST_F(CoreTest, RefusesHandlesItDoesNotHave) {
  EXPECT_EQ(core_->open(32, kPcm), Core::OpenResult::kBadHandle);
  EXPECT_EQ(core_->open(31, kPcm), Core::OpenResult::kOpened);
  EXPECT_EQ(core_->open(31, kPcm), Core::OpenResult::kBadHandle);
  core_->close(31);
  core_->close(31);
  core_->close(4000000000u);
  EXPECT_EQ(core_->open(31, kPcm), Core::OpenResult::kOpened);
}

TEST_F(CoreTest, IgnoresFramesOutsideItsMemory) {
  core_->open(0, kPcm);
  const std::uint32_t batch[] = {0, 65000, 1000, 1, 0,           0xffffffffu, 0xffffffffu, 2,
                                 9, 0,     100,  3, 0xffffffffu, 0,           10,          4};
  core_->push(batch, 4, 0);
  turn(100, true);
  EXPECT_EQ(core_->status(0).position, 0);
}

TEST_F(CoreTest, ReportsInvalidFramesOnce) {
  core_->open(5, {Codec::kOpus, 16000, 1});
  for (int i = 0; i < 3; ++i) push(5, 0, 0);
  EXPECT_EQ(core_->due(0), 8);
  ASSERT_EQ(turn(8), 1u);
  EXPECT_EQ(events_[0], 5);
  EXPECT_EQ(events_[1], static_cast<double>(EventKind::kInvalidFrames));
  EXPECT_EQ(events_[2], 3);
  EXPECT_EQ(turn(100, true), 0u);
}

TEST_F(CoreTest, StopsEarlyWhenThereIsNoSpaceAndGoesOn) {
  for (std::uint32_t h = 0; h < 20; ++h) {
    core_->open(h, kPcm);
    for (int i = 0; i < 300; ++i) push(h, 640, 0);
  }
  std::size_t events = 0;
  int turns = 0;
  // Each turn gets space for the events of one batch only, so several turns are needed.
  do {
    events += turn(100, false, Silero::kBatch * Stream::kEventsPerWindow);
    ++turns;
  } while (core_->due(100) == 0 && turns < 1000);
  EXPECT_EQ(events, 20u) << "each stream's burst of drops";
  for (std::uint32_t h = 0; h < 20; ++h) EXPECT_GE(core_->status(h).position, 300 * 320 - 511);
}

TEST_F(CoreTest, SaysWhichArrivalCompletedEachWindow) {
  core_->open(0, kPcm);
  core_->open(1, kPcm);
  // Stream 0 gets two frames of 20 ms, and the second completes a window. Stream 1 gets a frame of 64 ms,
  // which completes two windows.
  push(0, 640, 0, 100);
  push(0, 640, 0, 120);
  push(1, 2048, 0, 7);
  turn(10);
  EXPECT_EQ(decided(), (Arrivals{120, 7, 7}));
  turn(20, true);
  EXPECT_EQ(decided(), Arrivals{}) << "nothing is told twice";
  push(0, 640, 20, 5);
  push(0, 640, 20, 0xfffffff0u);
  push(0, 640, 20, 6);
  flush(0);
  EXPECT_EQ(decided(), (Arrivals{0xfffffff0u, 6})) << "those of a stream that is finished count too";
  flush(0);
  EXPECT_EQ(decided(), Arrivals{});
  EXPECT_EQ(core_->status(0).position, 5 * 320);
}

TEST_F(CoreTest, CountsAGapFromTheFrameBehindIt) {
  core_->open(0, kPcm);
  // The frame queue has space for 100 frames, so the first 20 frames are dropped.
  for (std::uint32_t i = 1; i <= 120; ++i) push(0, 640, 0, i);
  turn(10, true);
  const Arrivals arrivals = decided();
  // The detector processes the first 200 ms of the gap. After that, five complete windows are skipped as
  // silence.
  EXPECT_EQ(arrivals.size(), 120u * 320 / 512 - 5);
  EXPECT_EQ(arrivals.front(), 21u);
  EXPECT_EQ(arrivals.back(), 120u);
  for (std::size_t i = 1; i < arrivals.size(); ++i) EXPECT_GE(arrivals[i], arrivals[i - 1]);
}

TEST_F(CoreTest, StopsEarlyWhenThereIsNoSpaceForDecisions) {
  for (std::uint32_t h = 0; h < 20; ++h) {
    core_->open(h, kPcm);
    push(h, 2048, 0, h);
  }
  Arrivals all;
  int turns = 0;
  do {
    turn(100, false, 1000, Silero::kBatch);
    const Arrivals some = decided();
    all.insert(all.end(), some.begin(), some.end());
    ++turns;
  } while (core_->due(100) == 0 && turns < 1000);
  std::sort(all.begin(), all.end());
  ASSERT_EQ(all.size(), 40u);
  for (std::uint32_t h = 0; h < 20; ++h) EXPECT_EQ(all[2 * h + 1], h);
}

TEST_F(CoreTest, SurvivesAnyOrderOfCalls) {
  std::mt19937 random(17);
  for (auto& byte : memory_) byte = static_cast<std::uint8_t>(random());
  double now = 0;
  for (int step = 0; step < 6000; ++step) {
    const std::uint32_t h = random() % 34;
    switch (random() % 8) {
      case 0:
        core_->open(h, {static_cast<Codec>(random() % 3), random() % 2 ? 16000u : 48000u,
                        static_cast<unsigned>(1 + random() % 2)});
        break;
      case 1:
        if (random() % 4 == 0) core_->close(h);
        break;
      case 2: {
        flush(h, 200);
        break;
      }
      case 3:
        turn(now, random() % 2 == 0, 100);
        break;
      case 4:
        while (core_->takeUtterance(h)) {
        }
        break;
      default:
        push(h, random() % 3000, now);
    }
    now += 5;
  }
}

}  // namespace
}  // namespace cochlea
