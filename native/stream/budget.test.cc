#include "stream/budget.h"

#include <gtest/gtest.h>

namespace cochlea {
namespace {

/// Returns the number of frames of `duration` ms that are accepted at time `now`.
int drawn(Budget& budget, double duration, double now) {
  int count = 0;
  while (budget.take(duration, now)) ++count;
  return count;
}

TEST(Budget, TakesEverythingWhenThereIsNone) {
  Budget budget(BudgetOptions{});
  for (int i = 0; i < 100000; ++i) ASSERT_TRUE(budget.take(120, 0));
}

TEST(Budget, TakesABacklogAndThenItsPace) {
  Budget budget({4, 120000});
  EXPECT_EQ(drawn(budget, 20, 1000), 6000);
  // At this pace, 10 s of audio become available within 2.5 s.
  EXPECT_FALSE(budget.take(20, 3499));
  EXPECT_EQ(drawn(budget, 20, 3500), 500);
  EXPECT_EQ(drawn(budget, 20, 3500 + 30000), 6000) << "everything is earned again";
}

TEST(Budget, NeverRefusesAStreamThatKeepsToItsPace) {
  Budget budget({4, 10000});
  double now = 0;
  for (int i = 0; i < 100000; ++i, now += 5) ASSERT_TRUE(budget.take(20, now));
}

TEST(Budget, TakesPiecesAndNotSingleFrames) {
  Budget budget({4, 120000});
  int bursts = 0;
  int taken = 0;
  bool before = true;
  // Sends audio for a minute, at forty times real time.
  for (int i = 0; i < 120000; ++i) {
    const bool takes = budget.take(20, i * 0.5);
    taken += takes ? 1 : 0;
    if (before && !takes) ++bursts;
    before = takes;
  }
  EXPECT_LE(bursts, 25);
  EXPECT_NEAR(taken * 0.02, 120 + 4 * 60, 11);
}

TEST(Budget, ASmallBacklogIsDecodedAgainAtItsHalf) {
  Budget budget({1, 1000});
  EXPECT_EQ(drawn(budget, 100, 0), 10);
  EXPECT_FALSE(budget.take(100, 499));
  EXPECT_TRUE(budget.take(2000, 500)) << "however long the frame is";
}

TEST(Budget, AClockThatGoesBackEarnsNothing) {
  Budget budget({4, 10000});
  EXPECT_EQ(drawn(budget, 100, 5000), 100);
  EXPECT_FALSE(budget.take(100, 0));
  EXPECT_FALSE(budget.take(100, 100));
}

}  // namespace
}  // namespace cochlea
