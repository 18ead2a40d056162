#include "codec/opus.h"

#include <gtest/gtest.h>
#include <opus.h>

#include <cmath>
#include <random>
#include <vector>

namespace cochlea {
namespace {

struct Packets {
  std::vector<std::vector<std::uint8_t>> list;
  std::size_t samplesEach = 0;
};

/// A tone coded at `rate`, `ms10` tenths of a millisecond a packet.
Packets encode(int rate, int channels, int ms10, int count) {
  int error = 0;
  OpusEncoder* encoder = opus_encoder_create(rate, channels, OPUS_APPLICATION_AUDIO, &error);
  EXPECT_EQ(error, OPUS_OK);
  const int frame = rate / 100 * ms10 / 100;
  std::vector<std::int16_t> pcm(static_cast<std::size_t>(frame * channels));
  Packets packets;
  packets.samplesEach = static_cast<std::size_t>(16 * ms10 / 10);
  int n = 0;
  for (int p = 0; p < count; ++p) {
    for (int i = 0; i < frame; ++i, ++n) {
      for (int c = 0; c < channels; ++c) {
        pcm[static_cast<std::size_t>(i * channels + c)] =
            static_cast<std::int16_t>(9000 * std::sin(2 * 3.14159265 * 440 * n / rate));
      }
    }
    std::vector<std::uint8_t> packet(8000);
    const int length = opus_encode(encoder, pcm.data(), frame, packet.data(), static_cast<int>(packet.size()));
    EXPECT_GT(length, 0);
    packet.resize(static_cast<std::size_t>(length));
    packets.list.push_back(packet);
  }
  opus_encoder_destroy(encoder);
  return packets;
}

TEST(Opus, DecodesEveryLegalDurationRateAndChannelCount) {
  for (const int rate : {8000, 12000, 16000, 24000, 48000}) {
    for (const int channels : {1, 2}) {
      for (const int ms10 : {25, 50, 100, 200, 400, 600, 800, 1000, 1200}) {
        const Packets packets = encode(rate, channels, ms10, 6);
        OpusStream stream;
        ASSERT_TRUE(stream.init());
        double energy = 0;
        for (const auto& packet : packets.list) {
          std::int16_t out[OpusStream::kMaxSamples];
          EXPECT_EQ(OpusStream::packetSamples(packet.data(), packet.size()), packets.samplesEach);
          ASSERT_EQ(stream.decode(packet.data(), packet.size(), out).samples, packets.samplesEach) << rate << " " << ms10;
          energy = 0;
          for (std::size_t i = 0; i < packets.samplesEach; ++i) energy += double(out[i]) * out[i];
        }
        EXPECT_GT(std::sqrt(energy / static_cast<double>(packets.samplesEach)), 3000) << rate << " " << ms10;
      }
    }
  }
}

TEST(Opus, ConcealsWithSomethingLikeWhatWasThere) {
  const Packets packets = encode(16000, 1, 200, 10);
  OpusStream stream;
  ASSERT_TRUE(stream.init());
  std::int16_t out[OpusStream::kMaxSamples];
  for (const auto& packet : packets.list) stream.decode(packet.data(), packet.size(), out);
  ASSERT_EQ(stream.conceal(out, 320), 320u);
  double energy = 0;
  for (int i = 0; i < 320; ++i) energy += double(out[i]) * out[i];
  EXPECT_GT(std::sqrt(energy / 320), 1000);
}

TEST(Opus, RefusesWhatIsNoPacket) {
  EXPECT_EQ(OpusStream::packetSamples(nullptr, 0), 0u);
  // Code 3 without its count, with a count of none, and with more than 120 ms.
  for (const std::vector<std::uint8_t>& packet : std::vector<std::vector<std::uint8_t>>{{0x03}, {0x03, 0x00}, {0x1b, 0x03}}) {
    EXPECT_EQ(OpusStream::packetSamples(packet.data(), packet.size()), 0u);
  }
}

TEST(Opus, SurvivesRandomBytesOfEveryLength) {
  std::mt19937 random(7);
  OpusStream stream;
  ASSERT_TRUE(stream.init());
  for (std::size_t length = 1; length <= 65536; length += length < 2000 ? 1 : 499) {
    std::vector<std::uint8_t> packet(length);
    for (auto& byte : packet) byte = static_cast<std::uint8_t>(random());
    std::int16_t out[OpusStream::kMaxSamples];
    const std::size_t samples = stream.decode(packet.data(), packet.size(), out).samples;
    EXPECT_LE(samples, OpusStream::kMaxSamples);
  }
}

}  // namespace
}  // namespace cochlea
