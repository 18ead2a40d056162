#include "look/quiet.h"

#include <gtest/gtest.h>

namespace cochlea {
namespace {

constexpr std::size_t kFrame = 320;

Look levels(float level, std::uint8_t count = 17) {
  Look look;
  look.kind = Look::Kind::kBands;
  look.count = count;
  look.bands.fill(level);
  return look;
}

/// Passes the same look for every frame, while the detector processes and clears all frames. @returns number
/// of frames until the stream may rest
int untilRest(Quiet& quiet, const Look& look, int most = 500) {
  for (int frames = 1; frames <= most; ++frames) {
    quiet.decided(0.01f, false);
    quiet.look(look, kFrame, true);
    if (quiet.rests()) return frames;
  }
  return -1;
}

TEST(Quiet, RestsAfterSomeTimeOfEqualLevels) {
  Quiet quiet;
  EXPECT_TRUE(quiet.stirs());
  const int frames = untilRest(quiet, levels(4));
  EXPECT_GE(frames, 20);
  EXPECT_LE(frames, 45);
}

TEST(Quiet, StirsWithin100MsOfASoundThatRises) {
  Quiet quiet;
  ASSERT_GT(untilRest(quiet, levels(4)), 0);
  quiet.look(levels(4), kFrame, false);
  EXPECT_FALSE(quiet.stirs());
  int frames = 0;
  while (!quiet.stirs() && frames < 100) {
    quiet.look(levels(6), kFrame, false);
    ++frames;
  }
  EXPECT_LE(frames, 5);
}

TEST(Quiet, NeverRestsWhileTheDetectorIsUnsureOrSpeechIsOpen) {
  for (const bool speaking : {false, true}) {
    Quiet quiet;
    for (int i = 0; i < 500; ++i) {
      quiet.decided(speaking ? 0.01f : 0.3f, speaking);
      quiet.look(levels(4), kFrame, true);
      ASSERT_FALSE(quiet.rests());
    }
  }
}

TEST(Quiet, FollowsAPlaceThatBecomesQuieter) {
  Quiet quiet;
  ASSERT_GT(untilRest(quiet, levels(8)), 0);
  for (int i = 0; i < 1500; ++i) {
    quiet.look(levels(2), kFrame, false);
    ASSERT_FALSE(quiet.stirs());
  }
  for (int i = 0; i < 10; ++i) quiet.look(levels(6), kFrame, false);
  EXPECT_TRUE(quiet.stirs()) << "the level of the noise before is loud now";
}

TEST(Quiet, StirsAtFramesThatSayNothingOfTheirLevels) {
  for (const Look::Kind kind : {Look::Kind::kVoice, Look::Kind::kUnknown}) {
    Quiet quiet;
    ASSERT_GT(untilRest(quiet, levels(4)), 0);
    Look look;
    look.kind = kind;
    for (int i = 0; i < 5; ++i) quiet.look(look, kFrame, false);
    EXPECT_TRUE(quiet.stirs());
  }
}

TEST(Quiet, StirsWhenTheBandsChange) {
  Quiet quiet;
  ASSERT_GT(untilRest(quiet, levels(4)), 0);
  for (int i = 0; i < 5; ++i) quiet.look(levels(4, 13), kFrame, false);
  EXPECT_TRUE(quiet.stirs());
}

TEST(Quiet, RestsDuringDiscontinuousTransmission) {
  Quiet quiet;
  ASSERT_GT(untilRest(quiet, levels(4)), 0);
  Look nothing;
  nothing.kind = Look::Kind::kNothing;
  for (int i = 0; i < 100; ++i) {
    quiet.look(nothing, kFrame, false);
    ASSERT_FALSE(quiet.stirs());
  }
}

}  // namespace
}  // namespace cochlea
