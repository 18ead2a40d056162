#include "look/opus-look.h"

#include <gtest/gtest.h>
#include <opus.h>

#include <cmath>
#include <functional>
#include <random>
#include <tuple>
#include <vector>

namespace cochlea {
namespace {

struct Encoding {
  int application = OPUS_APPLICATION_RESTRICTED_LOWDELAY;
  int rate = 16000;
  int channels = 1;
  /// Duration of a packet in tenths of a millisecond.
  int duration = 200;
  int bitrate = 32000;
  bool stopsInSilence = false;
};

/// Encodes `count` packets of a sound, and returns the look at each packet.
std::vector<Look> looksAt(const Encoding& encoding, int count, const std::function<double(int)>& sound) {
  int error = 0;
  OpusEncoder* encoder = opus_encoder_create(encoding.rate, encoding.channels, encoding.application, &error);
  EXPECT_EQ(error, OPUS_OK);
  opus_encoder_ctl(encoder, OPUS_SET_BITRATE(encoding.bitrate));
  opus_encoder_ctl(encoder, OPUS_SET_DTX(encoding.stopsInSilence ? 1 : 0));
  const int frame = encoding.rate / 100 * encoding.duration / 100;
  std::vector<std::int16_t> pcm(static_cast<std::size_t>(frame * encoding.channels));
  std::vector<std::uint8_t> packet(8000);
  OpusLook reader;
  std::vector<Look> looks;
  int at = 0;
  for (int i = 0; i < count; ++i) {
    auto out = pcm.begin();
    for (int sample = 0; sample < frame; ++sample, ++at) {
      out = std::fill_n(out, encoding.channels, static_cast<std::int16_t>(sound(at)));
    }
    const int length =
        opus_encode(encoder, pcm.data(), frame, packet.data(), static_cast<int>(packet.size()));
    EXPECT_GT(length, 0);
    looks.push_back(reader.read(packet.data(), static_cast<std::size_t>(length)));
  }
  opus_encoder_destroy(encoder);
  return looks;
}

/// Returns a noise of this amplitude.
std::function<double(int)> noise(double amplitude) {
  return [amplitude, random = std::mt19937(7)](int) mutable {
    return amplitude * std::uniform_real_distribution<double>(-1, 1)(random);
  };
}

/// Returns the mean level of all bands of the last half of these looks.
double meanLevel(const std::vector<Look>& looks) {
  double sum = 0;
  int count = 0;
  for (std::size_t i = looks.size() / 2; i < looks.size(); ++i) {
    EXPECT_EQ(looks[i].kind, Look::Kind::kBands);
    for (std::size_t band = 0; band < looks[i].count; ++band, ++count) {
      sum += static_cast<double>(looks[i].bands[band]);
    }
  }
  return sum / std::max(1, count);
}

TEST(OpusLook, ReadsTheLevelsOfCeltFrames) {
  for (const int rate : {8000, 16000, 24000, 48000}) {
    for (const int channels : {1, 2}) {
      for (const int duration : {25, 50, 100, 200}) {
        const Encoding encoding{OPUS_APPLICATION_RESTRICTED_LOWDELAY, rate, channels, duration, 96000};
        const auto quiet = looksAt(encoding, 200, noise(500));
        const auto loud = looksAt(encoding, 200, noise(8000));
        EXPECT_EQ(quiet.back().count, rate == 8000 ? 13 : 17);
        EXPECT_NEAR(meanLevel(loud) - meanLevel(quiet), 4, 0.6)
            << rate << " Hz, " << channels << ", " << duration;
      }
    }
  }
}

TEST(OpusLook, FindsTheBandOfATone) {
  const auto tone = [](int at) { return 8000 * std::sin(2 * 3.14159265 * 1500 * at / 16000.0); };
  const Look look = looksAt({}, 100, tone).back();
  // Band 7 reaches from 1.4 to 1.6 kHz.
  for (std::size_t band = 0; band < look.count; ++band) {
    if (band < 6 || band > 8) {
      EXPECT_GT(look.bands[7], look.bands[band] + 2) << band;
    }
  }
}

TEST(OpusLook, ReadsGainsAndVoiceOfSilkFrames) {
  for (const int duration : {100, 200, 400, 600}) {
    const Encoding encoding{OPUS_APPLICATION_VOIP, 16000, 1, duration, 16000};
    const auto quiet = looksAt(encoding, 60, noise(30));
    EXPECT_EQ(quiet.back().kind, Look::Kind::kBands);
    EXPECT_EQ(quiet.back().count, 1);
    // The encoder classifies a pulse train with a wavering level as a voice.
    const auto voice = [](int at) {
      return at % 133 == 0 && at > 16000 ? 12000 * (1.2 + std::sin(at / 1500.0)) : at % 7 - 3.0;
    };
    const auto looks = looksAt(encoding, 30000 / duration, voice);
    std::size_t voiced = 0;
    for (const Look& look : looks) voiced += look.kind == Look::Kind::kVoice ? 1 : 0;
    EXPECT_GT(voiced, looks.size() / 4) << duration;
    EXPECT_EQ(looks[2].kind, Look::Kind::kBands) << duration;
  }
}

TEST(OpusLook, KnowsNothingOfStereoSilkFrames) {
  // The first byte says: wideband SILK, 20 ms, one frame. 4 is the flag of stereo.
  std::uint8_t packet[] = {76, 17, 34, 51, 68};
  EXPECT_EQ(OpusLook().read(packet, sizeof packet).kind, Look::Kind::kUnknown);
  packet[0] = 72;
  EXPECT_NE(OpusLook().read(packet, sizeof packet).kind, Look::Kind::kUnknown);
}

TEST(OpusLook, FindsNothingInPacketsOfDiscontinuousTransmission) {
  const Encoding encoding{OPUS_APPLICATION_VOIP, 16000, 1, 200, 16000, true};
  const auto looks = looksAt(encoding, 100, [](int) { return 0.0; });
  std::size_t nothing = 0;
  for (const Look& look : looks) nothing += look.kind == Look::Kind::kNothing ? 1 : 0;
  EXPECT_GT(nothing, 50u);
}

TEST(OpusLook, AcceptsAnyBytes) {
  std::mt19937 random(3);
  OpusLook reader;
  for (int i = 0; i < 20000; ++i) {
    std::vector<std::uint8_t> bytes(random() % 40);
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
    const Look look = reader.read(bytes.data(), bytes.size());
    ASSERT_LE(look.count, Look::kBands);
    for (std::size_t band = 0; band < look.count; ++band) ASSERT_TRUE(std::isfinite(look.bands[band]));
    ASSERT_TRUE(!bytes.empty() || look.kind == Look::Kind::kUnknown);
  }
}

}  // namespace
}  // namespace cochlea
