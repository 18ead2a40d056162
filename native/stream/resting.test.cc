#include <gtest/gtest.h>
#include <opus.h>

#include <algorithm>
#include <random>
#include <vector>

#include "stream/stream.h"
#include "test/model.h"
#include "test/recorder.h"

namespace cochlea {
namespace {

/// An Opus stream that may rest. Its packets contain 20 ms of noise each.
class RestingStream : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(stream_.init());
    encoder_ = opus_encoder_create(16000, 1, OPUS_APPLICATION_RESTRICTED_LOWDELAY, nullptr);
  }
  void TearDown() override { opus_encoder_destroy(encoder_); }

  /// Pushes a packet and processes all complete windows. The detector clears the quiet ones.
  void push(double amplitude) {
    std::vector<std::int16_t> pcm(320);
    for (auto& sample : pcm) {
      sample = static_cast<std::int16_t>(amplitude * std::uniform_real_distribution<double>(-1, 1)(random_));
    }
    std::uint8_t packet[1000];
    const int length = opus_encode(encoder_, pcm.data(), 320, packet, sizeof packet);
    ASSERT_GT(length, 0);
    stream_.push(packet, static_cast<std::size_t>(length), pushed_++);
    while (stream_.windowsReady() > 0) {
      ASSERT_TRUE(stream_.fill(events_.writer));
      arrivals_.push_back(stream_.arrival());
      if (!stream_.silent()) ++detected_;
      stream_.advance(amplitude > 1000 && !stream_.silent() ? 0.9f : 0.0f, events_.writer);
    }
  }
  void rest() {
    for (int i = 0; i < 200; ++i) push(100);
    ASSERT_TRUE(stream_.resting());
  }

  Stream stream_{0, {Codec::kOpus, 16000, 1}, GateOptions{}, 2000, kernels(), {}, true};
  test::Recorder events_;
  OpusEncoder* encoder_ = nullptr;
  std::mt19937 random_{5};
  std::uint32_t pushed_ = 0;
  std::size_t detected_ = 0;
  std::vector<std::uint32_t> arrivals_;
};

TEST_F(RestingStream, DecodesNoQuietFrames) {
  for (int i = 0; i < 20; ++i) push(100);
  ASSERT_FALSE(stream_.resting());
  const std::size_t awake = stream_.bytes();
  for (int i = 0; i < 180; ++i) push(100);
  ASSERT_TRUE(stream_.resting());
  EXPECT_GT(stream_.skipped(), 80u);
  EXPECT_EQ(stream_.position(), 200 * 320) << "held audio counts";
  EXPECT_LT(stream_.bytes() + 6000, awake) << "the decoder's state is freed";
  EXPECT_EQ(arrivals_.back(), 199u) << "a frame that was looked at is decided";
  const std::size_t before = detected_;
  for (int i = 0; i < 100; ++i) push(100);
  EXPECT_EQ(detected_, before);
}

TEST_F(RestingStream, DecodesTheHeldAudioWhenASoundRises) {
  rest();
  const std::size_t before = detected_;
  for (int i = 0; i < 10; ++i) push(8000);
  EXPECT_FALSE(stream_.resting());
  EXPECT_GE(detected_ - before, (Stream::kHold - Stream::kPrime) / kWindow);
  EXPECT_EQ(stream_.position(), 210 * 320);
  for (int i = 0; i < 20; ++i) push(8000);
  for (int i = 0; i < 100; ++i) push(100);
  const auto utterance = stream_.take();
  ASSERT_TRUE(utterance);
  // While `push` gets loud packets, it reports speech for every decoded window, also for the held quiet
  // windows. So the utterance begins before the first loud packet.
  EXPECT_LE(utterance->start, 200 * 320 - 4800);
  const auto loudest = std::max_element(utterance->pcm.begin(), utterance->pcm.end());
  EXPECT_GT(*loudest, 4000);
  // The quiet sound before the onset was decoded, too.
  const auto before300 = static_cast<std::size_t>(200 * 320 - 3200 - utterance->start);
  int quiet = 0;
  for (std::size_t i = before300; i < before300 + 1600; ++i) quiet = std::max<int>(quiet, utterance->pcm[i]);
  EXPECT_GT(quiet, 20);
  EXPECT_LT(quiet, 1000);
}

TEST_F(RestingStream, WakesForEveryNeedOfItsAudioAndForGaps) {
  rest();
  stream_.choose(AudioNeed::kEverything, 1600);
  EXPECT_FALSE(stream_.resting());
  for (int i = 0; i < 200; ++i) push(100);
  EXPECT_FALSE(stream_.resting()) << "all audio is returned";
  stream_.choose(AudioNeed::kUtterances, 1600);
  rest();
  stream_.lose(5, 500);
  push(100);
  EXPECT_FALSE(stream_.resting());
}

TEST_F(RestingStream, LosesNothingIfItWakesBeforeItHasSkipped) {
  for (int i = 0; i < 200 && !stream_.resting(); ++i) push(100);
  ASSERT_TRUE(stream_.resting());
  const std::size_t at = pushed_;
  const std::size_t before = detected_;
  for (int i = 0; i < 20; ++i) push(8000);
  EXPECT_FALSE(stream_.resting());
  EXPECT_EQ(stream_.skipped(), 0u);
  EXPECT_EQ(detected_ - before, (at + 20) * 320 / kWindow - at * 320 / kWindow) << "every window";
}

TEST_F(RestingStream, TakesTheHeldAudioForTheSkippedSound) {
  Silero silero(SileroModel::wideOf(test::loadModel()), kernels());
  rest();
  for (int i = 0; i < 200; ++i) push(100);
  stream_.wake();
  std::size_t known = 0;
  while (stream_.fill(events_.writer)) {
    const auto probability = stream_.known(silero);
    known += probability && !stream_.silent() ? 1 : 0;
    if (stream_.silent()) {
      EXPECT_EQ(probability, 0.0f);
    }
    stream_.advance(probability.value_or(0), events_.writer);
  }
  EXPECT_GE(known, Ahead::kWindows);
  EXPECT_EQ(stream_.position(), 400 * 320);
  stream_.finish(events_.writer);
  const std::size_t awake = stream_.bytes();
  for (int i = 0; i < 20; ++i) push(100);
  EXPECT_LE(stream_.bytes(), awake + 2000) << "the audio that was decoded ahead is freed";
}

TEST_F(RestingStream, WakesIfItsQueueOverflows) {
  rest();
  std::vector<std::int16_t> pcm(320);
  std::uint8_t packet[1000];
  const int length = opus_encode(encoder_, pcm.data(), 320, packet, sizeof packet);
  for (int i = 0; i < 120; ++i) stream_.push(packet, static_cast<std::size_t>(length));
  EXPECT_GT(stream_.dropped(), 0u);
  EXPECT_FALSE(stream_.resting());
  while (stream_.fill(events_.writer)) stream_.advance(0, events_.writer);
  EXPECT_EQ(stream_.windowsReady(), 0u);
}

TEST_F(RestingStream, NeedsSpaceInItsQueue) {
  Stream small(0, {Codec::kOpus, 16000, 1}, GateOptions{}, 1000, kernels(), {}, true);
  ASSERT_TRUE(small.init());
  std::vector<std::int16_t> pcm(320);
  for (int i = 0; i < 300; ++i) {
    std::uint8_t packet[1000];
    const int length = opus_encode(encoder_, pcm.data(), 320, packet, sizeof packet);
    small.push(packet, static_cast<std::size_t>(length));
    while (small.windowsReady() > 0 && small.fill(events_.writer)) small.advance(0, events_.writer);
    ASSERT_FALSE(small.resting());
  }
}

}  // namespace
}  // namespace cochlea
