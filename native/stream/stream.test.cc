#include "stream/stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>
#include <vector>

#include "test/recorder.h"
#include "test/reference.h"

namespace cochlea {
namespace {

using test::Recorder;

Stream pcmStream(std::uint32_t rate = 16000, unsigned channels = 1) {
  return Stream(0, {Codec::kPcm16, rate, channels}, GateOptions{}, 2000, kernels());
}

std::vector<std::uint8_t> ramp(std::size_t from, std::size_t samples) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = from; i < from + samples; ++i) {
    bytes.push_back(static_cast<std::uint8_t>(i));
    bytes.push_back(static_cast<std::uint8_t>(i >> 8));
  }
  return bytes;
}

TEST(Stream, HandsOutExactlyTheSamplesItSpeaksOf) {
  Stream stream = pcmStream();
  ASSERT_TRUE(stream.init());
  Recorder events;
  std::size_t at = 0;
  for (int w = 0; w < 120; ++w) {
    const auto bytes = ramp(at, 512);
    at += 512;
    stream.push(bytes.data(), bytes.size());
    ASSERT_TRUE(stream.fill(events.writer));
    stream.advance(w >= 40 && w < 70 ? 0.9f : 0.0f, events.writer);
  }
  const auto utterance = stream.take();
  ASSERT_TRUE(utterance);
  EXPECT_EQ(utterance->start, 40 * 512 - 4800);
  EXPECT_EQ(utterance->pcm.size(), 30u * 512 + 9600);
  for (std::size_t i = 0; i < utterance->pcm.size(); ++i) {
    ASSERT_EQ(utterance->pcm[i], static_cast<std::int16_t>(utterance->start + static_cast<std::int64_t>(i)));
  }
  EXPECT_FALSE(stream.take());
}

TEST(Stream, CountsSpeechApartFromTheRest) {
  Stream stream = pcmStream();
  ASSERT_TRUE(stream.init());
  Recorder events;
  const auto detect = [&](std::size_t windows, float probability) {
    const auto bytes = ramp(0, 512);
    for (std::size_t w = 0; w < windows; ++w) {
      stream.push(bytes.data(), bytes.size());
      ASSERT_TRUE(stream.fill(events.writer));
      stream.advance(probability, events.writer);
    }
  };
  detect(100, 0);
  EXPECT_EQ(stream.speechBytes(), 0u) << "what comes before speech is always kept";
  const std::size_t quiet = stream.bytes();
  detect(100, 0.9f);
  EXPECT_GT(stream.speechBytes(), 90u * 1024);
  EXPECT_LT(stream.speechBytes(), 100u * 1024);
  const auto block = static_cast<double>(History::kBlock * sizeof(std::int16_t));
  EXPECT_NEAR(static_cast<double>(stream.bytes()), static_cast<double>(quiet), 4 * block);
  detect(100, 0);
  const auto utterance = stream.speechBytes();
  EXPECT_GT(utterance, 100u * 1024) << "cut, and not yet taken";
  ASSERT_TRUE(stream.take());
  EXPECT_EQ(stream.speechBytes(), 0u);
  EXPECT_NEAR(static_cast<double>(stream.bytes()), static_cast<double>(quiet), 4 * block);
}

TEST(Stream, CutsLoseNothing) {
  Stream stream = pcmStream();
  ASSERT_TRUE(stream.init());
  Recorder events;
  for (std::size_t w = 0; w < 2000; ++w) {
    const auto bytes = ramp(w * 512, 512);
    stream.push(bytes.data(), bytes.size());
    ASSERT_TRUE(stream.fill(events.writer));
    stream.advance(0.9f, events.writer);
  }
  stream.finish(events.writer);
  std::int64_t next = 0;
  while (const auto utterance = stream.take()) {
    EXPECT_EQ(utterance->start, next);
    EXPECT_EQ(utterance->pcm.front(), static_cast<std::int16_t>(next));
    next += static_cast<std::int64_t>(utterance->pcm.size());
  }
  EXPECT_EQ(next, 2000 * 512);
}

/// Returns bytes of noise with an amplitude below a quarter of full scale.
std::vector<std::uint8_t> noiseBytes(std::size_t samples) {
  std::mt19937 random(17);
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i < samples; ++i) {
    const auto sample = static_cast<std::int16_t>(static_cast<int>(random() % 16384) - 8192);
    bytes.push_back(static_cast<std::uint8_t>(sample));
    bytes.push_back(static_cast<std::uint8_t>(static_cast<std::uint16_t>(sample) >> 8));
  }
  return bytes;
}

// The samples of an utterance must equal the samples of the complete resampled stream. This must also hold
// near the ends of the utterance.
TEST(Stream, HandsOutNarrowSpeechAsIfAllOfItHadBeenResampled) {
  constexpr std::size_t kWindows = 1400;
  constexpr std::size_t kRest = 100;
  const std::vector<std::uint8_t> bytes = noiseBytes(kWindows * 256 + kRest);
  const std::vector<std::int16_t> samples = test::samplesOf(bytes);
  std::vector<std::int16_t> expected;
  Resampler resampler(8000);
  std::vector<std::int16_t> in = samples;
  in.resize(in.size() + 1000);
  for (std::size_t at = 0; at < in.size(); at += Resampler::kMaxInput) {
    std::int16_t chunk[Resampler::kMaxOutput];
    const std::size_t written =
        resampler.process(in.data() + at, std::min(Resampler::kMaxInput, in.size() - at), chunk, kernels());
    expected.insert(expected.end(), chunk, chunk + written);
  }

  Stream stream = pcmStream(8000);
  ASSERT_TRUE(stream.init());
  ASSERT_TRUE(stream.narrow());
  Recorder events;
  std::size_t utterances = 0;
  const auto check = [&] {
    while (const auto utterance = stream.take()) {
      ++utterances;
      const auto from = expected.begin() + utterance->start;
      ASSERT_EQ(utterance->pcm,
                std::vector<std::int16_t>(from, from + std::ptrdiff_t(utterance->pcm.size())));
    }
  };
  for (std::size_t w = 0; w < kWindows; ++w) {
    stream.push(bytes.data() + w * 512, 512);
    ASSERT_TRUE(stream.fill(events.writer));
    ASSERT_EQ(stream.window()[255], samples[w * 256 + 255]) << "detected as it came";
    // These probabilities produce speech from the first sample, speech that is cut, and pauses around the
    // hangover.
    stream.advance(w < 60 || w % 97 > w % 41 || w > 800 ? 0.9f : 0.0f, events.writer);
    check();
  }
  stream.push(bytes.data() + kWindows * 512, 2 * kRest);
  ASSERT_FALSE(stream.fill(events.writer));
  stream.finish(events.writer);
  check();
  EXPECT_EQ(stream.position(), static_cast<std::int64_t>(2 * samples.size()));
  EXPECT_GE(utterances, 5u);
}

TEST(Stream, DetectsAtEightKilohertzOnlyWhatKeepsThatRate) {
  for (const auto& [codec, rate, narrow] : {std::tuple{Codec::kPcm8, 8000u, true},
                                            {Codec::kPcm16, 8000u, true},
                                            {Codec::kPcm16, 8001u, false},
                                            {Codec::kPcm16, 16000u, false},
                                            {Codec::kOpus, 8000u, false},
                                            {Codec::kAac, 8000u, false},
                                            {Codec::kLc3, 8000u, true},
                                            {Codec::kLc3, 16000u, false}}) {
    Stream stream(0, {codec, rate, 1}, GateOptions{}, 2000, kernels());
    EXPECT_EQ(stream.narrow(), narrow) << static_cast<int>(codec) << " " << rate;
  }
}

TEST(Stream, DropsAreOneEventAndTheClockStaysTrue) {
  for (const std::uint32_t rate : {8000u, 16000u}) {
    Stream stream = pcmStream(rate);
    ASSERT_TRUE(stream.init());
    Recorder events;
    // 5 s of audio are pushed at once into a frame queue of 2 s.
    for (std::size_t i = 0; i < 250; ++i) {
      const auto bytes = ramp(i * rate / 50, rate / 50);
      stream.push(bytes.data(), bytes.size());
    }
    while (stream.fill(events.writer)) stream.advance(0, events.writer);
    ASSERT_EQ(events.writer.count(), 1u);
    EXPECT_EQ(events.field(0, 1), static_cast<double>(EventKind::kDropped));
    EXPECT_EQ(events.field(0, 2), 150);
    EXPECT_EQ(events.field(0, 3), 48000);
    EXPECT_EQ(events.field(0, 4), 0);
    EXPECT_EQ(stream.position(), 80000);
    EXPECT_EQ(stream.dropped(), 150u);
  }
}

TEST(Stream, ForeseesItsWindows) {
  for (const std::uint32_t rate : {8000u, 16000u, 44100u, 48000u}) {
    Stream stream = pcmStream(rate, 2);
    ASSERT_TRUE(stream.init());
    Recorder events;
    std::mt19937 random(rate);
    for (int i = 0; i < 300; ++i) {
      const std::vector<std::uint8_t> bytes(random() % 5000 + 1);
      stream.push(bytes.data(), bytes.size());
      std::size_t windows = stream.windowsReady();
      while (stream.fill(events.writer)) {
        ASSERT_GT(windows, 0u) << rate;
        --windows;
        stream.advance(0, events.writer);
      }
      // A sample that is split between two messages may already count with the first message.
      EXPECT_LE(windows, 1u) << rate;
      EXPECT_EQ(stream.windowsReady(), 0u);
    }
  }
}

TEST(Stream, SurvivesRandomFramesOfEveryCodec) {
  std::mt19937 random(3);
  std::vector<std::uint8_t> bytes(65536);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
  for (const Codec codec : {Codec::kPcm8, Codec::kPcm16, Codec::kOpus}) {
    for (const std::uint32_t rate : {8000u, 16000u, 48000u}) {
      Stream stream(0, {codec, rate, 2}, GateOptions{}, 2000, kernels());
      ASSERT_TRUE(stream.init());
      for (std::size_t length = 0; length <= 65536; length += 1 + length / 16) {
        Recorder events;
        stream.push(bytes.data() + random() % (65537 - length), length);
        if (random() % 4 == 0) continue;
        while (stream.fill(events.writer)) stream.advance(static_cast<float>(random() % 2), events.writer);
        while (stream.take()) {
        }
      }
      Recorder events;
      while (stream.fill(events.writer)) stream.advance(0, events.writer);
      EXPECT_GT(stream.invalid(), 0u);
      EXPECT_LE(stream.bytes(), 100u * 1024);
    }
  }
}

TEST(Stream, GivesItsSpeechBufferBack) {
  Stream stream = pcmStream();
  ASSERT_TRUE(stream.init());
  Recorder events;
  const std::vector<std::uint8_t> window(1024);
  for (int w = 0; w < 400; ++w) {
    stream.push(window.data(), window.size());
    stream.fill(events.writer);
    stream.advance(w < 300 ? 1.0f : 0.0f, events.writer);
  }
  EXPECT_TRUE(stream.take());
  EXPECT_LE(stream.bytes(), 40u * 1024);
}

TEST(Stream, WhatTheBudgetRefusedIsSilenceInItsPlace) {
  // Messages of this length split samples, so that a refused message ends inside a sample.
  constexpr std::size_t kMessage = 333;
  constexpr std::size_t kSamples = 32000;
  const auto bytes = ramp(0, kSamples);
  for (const bool late : {false, true}) {
    Stream stream(0, {Codec::kPcm16, 16000, 1}, GateOptions{}, 2000, kernels(), {1, 1000});
    Recorder events;
    std::vector<std::int16_t> out;
    const auto drain = [&] {
      while (stream.fill(events.writer)) {
        out.insert(out.end(), stream.window(), stream.window() + kWindow);
        stream.advance(0, events.writer);
      }
    };
    std::size_t firstRefused = 0;
    std::size_t firstTaken = 0;
    double now = 0;
    for (std::size_t at = 0; at < bytes.size(); at += kMessage) {
      // A second of audio arrives at once. The clock then advances until half of the budget is available
      // again.
      if (at / kMessage == 100) now = 502;
      const std::uint64_t before = stream.overBudget();
      stream.push(bytes.data() + at, std::min(kMessage, bytes.size() - at), 0, now);
      if (stream.overBudget() > before) {
        if (firstRefused == 0) firstRefused = at;
      } else if (firstRefused != 0 && firstTaken == 0) {
        firstTaken = at;
      }
      if (firstTaken != 0 && stream.overBudget() > before) break;
      // If `late` is true, nothing is decoded until the stream accepts frames again.
      if (!late) drain();
    }
    ASSERT_GT(firstRefused, 0u);
    ASSERT_GT(firstTaken, firstRefused);
    EXPECT_GT(stream.takeRefused(), 0u);
    EXPECT_EQ(stream.dropped(), 0u);
    drain();
    ASSERT_GT(out.size(), firstTaken / 2 + 1000);
    const std::size_t firstSilent = firstRefused / 2;
    for (std::size_t i = 0; i < out.size(); ++i) {
      const bool lost = i >= firstSilent && i < (firstTaken + 1) / 2;
      if (lost) {
        ASSERT_EQ(out[i], 0) << i;
      } else {
        ASSERT_EQ(out[i], static_cast<std::int16_t>(i)) << i;
      }
    }
    EXPECT_EQ(events.writer.count(), 1u) << "one burst, one event";
    EXPECT_EQ(events.field(0, 1), static_cast<double>(EventKind::kDropped));
    EXPECT_EQ(events.field(0, 4), static_cast<double>(firstSilent));
  }
}

TEST(Stream, WhatWasLostOnItsWayIsSilenceInItsPlace) {
  // Messages of this length split samples, so that the lost bytes end inside a sample.
  constexpr std::size_t kMessage = 333;
  const auto bytes = ramp(0, 16000);
  for (const bool late : {false, true}) {
    Stream stream(0, {Codec::kPcm16, 16000, 1}, GateOptions{}, 2000, kernels());
    Recorder events;
    std::vector<std::int16_t> out;
    const auto drain = [&] {
      while (stream.fill(events.writer)) {
        out.insert(out.end(), stream.window(), stream.window() + kWindow);
        stream.advance(0, events.writer);
      }
    };
    constexpr std::size_t kFirstLost = 20 * kMessage;
    constexpr std::size_t kFirstTaken = 31 * kMessage;
    constexpr std::size_t kFirstSilent = kFirstLost / 2;
    constexpr std::size_t kSilent = (kFirstTaken - kFirstLost) / 2;
    for (std::size_t at = 0; at < bytes.size(); at += kMessage) {
      if (at >= kFirstLost && at < kFirstTaken) {
        stream.lose(1, kMessage);
        continue;
      }
      stream.push(bytes.data() + at, std::min(kMessage, bytes.size() - at));
      if (!late) drain();
    }
    drain();
    for (std::size_t i = 0; i < out.size(); ++i) {
      const bool lost = i >= kFirstSilent && i < (kFirstTaken + 1) / 2;
      ASSERT_EQ(out[i], lost ? 0 : static_cast<std::int16_t>(i)) << i;
    }
    ASSERT_GT(out.size(), 15000u);
    EXPECT_EQ(events.writer.count(), 1u) << "one event";
    EXPECT_EQ(events.field(0, 2), 11.0);
    EXPECT_EQ(events.field(0, 3), static_cast<double>(kSilent));
    EXPECT_EQ(events.field(0, 4), static_cast<double>(kFirstSilent));
    EXPECT_EQ(stream.dropped(), 0u) << "counted where it was lost";
  }
}

}  // namespace
}  // namespace cochlea
