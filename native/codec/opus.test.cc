#include "codec/opus.h"

#include <gtest/gtest.h>
#include <opus.h>

#include <cmath>
#include <memory>
#include <random>
#include <tuple>
#include <vector>

#include "stream/stream.h"
#include "test/reference.h"

namespace cochlea {
namespace {

struct Packets {
  std::vector<std::vector<std::uint8_t>> list;
  std::size_t samplesEach = 0;
};

/// Encodes a tone at `rate` Hz, in packets of `ms10` tenths of a millisecond.
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
    auto out = pcm.begin();
    for (int i = 0; i < frame; ++i, ++n) {
      const double value = 9000 * std::sin(2 * 3.14159265 * 440 * n / rate);
      out = std::fill_n(out, channels, static_cast<std::int16_t>(value));
    }
    std::vector<std::uint8_t> packet(8000);
    const int length =
        opus_encode(encoder, pcm.data(), frame, packet.data(), static_cast<int>(packet.size()));
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
          ASSERT_EQ(stream.decode(packet.data(), packet.size(), out).samples, packets.samplesEach)
              << rate << " " << ms10;
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
  // Code-3 packets: without a count of frames, with a count of 0, and with more than 120 ms.
  for (const std::vector<std::uint8_t>& packet :
       std::vector<std::vector<std::uint8_t>>{{0x03}, {0x03, 0x00}, {0x1b, 0x03}}) {
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

using test::Bytes;
using test::Samples;

struct Coding {
  int rate;
  int channels;
  /// Duration of a packet in tenths of a millisecond.
  int frame;
  int application;
  int bitrate = OPUS_AUTO;
  bool fec = false;
  bool dtx = false;
};

std::vector<Bytes> encode(const Coding& coding, const Samples& pcm) {
  int error = 0;
  OpusEncoder* encoder = opus_encoder_create(coding.rate, coding.channels, coding.application, &error);
  EXPECT_EQ(error, OPUS_OK);
  opus_encoder_ctl(encoder, OPUS_SET_BITRATE(coding.bitrate));
  opus_encoder_ctl(encoder, OPUS_SET_INBAND_FEC(coding.fec ? 1 : 0));
  opus_encoder_ctl(encoder, OPUS_SET_PACKET_LOSS_PERC(coding.fec ? 30 : 0));
  opus_encoder_ctl(encoder, OPUS_SET_DTX(coding.dtx ? 1 : 0));
  const int frame = coding.rate / 100 * coding.frame / 100;
  std::vector<Bytes> packets;
  for (std::size_t at = 0; at + static_cast<std::size_t>(frame * coding.channels) <= pcm.size();
       at += static_cast<std::size_t>(frame * coding.channels)) {
    Bytes packet(8000);
    const int length =
        opus_encode(encoder, pcm.data() + at, frame, packet.data(), static_cast<int>(packet.size()));
    EXPECT_GT(length, 0);
    packet.resize(static_cast<std::size_t>(std::max(length, 0)));
    packets.push_back(packet);
  }
  opus_encoder_destroy(encoder);
  return packets;
}

/// Decodes with direct calls of libopus, as a C program would.
class Reference {
 public:
  Reference() : decoder_(opus_decoder_create(16000, 1, nullptr), opus_decoder_destroy) {}

  /// @param fec number of samples to restore from the copy of the previous packet in this packet; 0 to decode
  ///   the packet itself
  void decode(const Bytes& packet, int fec = 0) {
    std::int16_t out[5760];
    const int samples = opus_decode(decoder_.get(), packet.data(), static_cast<int>(packet.size()), out,
                                    fec > 0 ? fec : 5760, fec > 0 ? 1 : 0);
    ASSERT_GT(samples, 0);
    samples_.insert(samples_.end(), out, out + samples);
  }

  void conceal(int samples) {
    std::int16_t out[5760];
    ASSERT_EQ(opus_decode(decoder_.get(), nullptr, 0, out, samples, 0), samples);
    samples_.insert(samples_.end(), out, out + samples);
  }

  const Samples& samples() const { return samples_; }

 private:
  std::unique_ptr<OpusDecoder, void (*)(OpusDecoder*)> decoder_;
  Samples samples_;
};

/// A stream that records its windows for comparison.
class RecordedStream {
 public:
  explicit RecordedStream(std::uint32_t queueMs = 2000)
      : stream_(0, {Codec::kOpus, 16000, 1}, GateOptions{}, queueMs, kernels()) {
    EXPECT_TRUE(stream_.init());
  }

  void push(const Bytes& packet) { stream_.push(packet.data(), packet.size()); }

  void work() {
    double memory[EventWriter::kStride * 64];
    EventWriter events(memory, 64);
    while (stream_.fill(events)) {
      seen_.insert(seen_.end(), stream_.window(), stream_.window() + kWindow);
      stream_.advance(0, events);
    }
  }

  const Stream& stream() const { return stream_; }
  const Samples& seen() const { return seen_; }

 private:
  Stream stream_;
  Samples seen_;
};

/// Checks that the windows of a stream equal the beginning of `reference`. The stream may be shorter by
/// less than one window.
void expectSame(const RecordedStream& stream, const Samples& reference, const std::string& what) {
  const Samples& seen = stream.seen();
  ASSERT_LE(seen.size(), reference.size()) << what;
  ASSERT_LT(reference.size() - seen.size(), kWindow) << what;
  EXPECT_TRUE(std::equal(seen.begin(), seen.end(), reference.begin())) << what;
}

double error(const Samples& a, const Samples& b, std::size_t from, std::size_t count) {
  double sum = 0;
  for (std::size_t i = from; i < from + count; ++i) sum += std::pow(double(a[i]) - b[i], 2);
  return std::sqrt(sum / static_cast<double>(count));
}

TEST(Opus, IsBitExactWithLibopusForEveryLegalPacket) {
  for (const int rate : {8000, 12000, 16000, 24000, 48000}) {
    for (const int channels : {1, 2}) {
      const Samples pcm = test::material(static_cast<std::uint32_t>(rate), static_cast<unsigned>(channels),
                                         static_cast<std::size_t>(rate) * 3 / 5);
      for (const int application :
           {OPUS_APPLICATION_VOIP, OPUS_APPLICATION_AUDIO, OPUS_APPLICATION_RESTRICTED_LOWDELAY}) {
        for (const int frame : {25, 50, 100, 200, 400, 600, 800, 1000, 1200}) {
          RecordedStream stream;
          Reference reference;
          for (const Bytes& packet : encode({rate, channels, frame, application}, pcm)) {
            stream.push(packet);
            stream.work();
            reference.decode(packet);
          }
          const std::string what = std::to_string(rate) + " Hz, " + std::to_string(channels) + " channels, " +
                                   std::to_string(frame) + " tenths of a ms, application " +
                                   std::to_string(application);
          expectSame(stream, reference.samples(), what);
          EXPECT_EQ(stream.stream().invalid(), 0u) << what;
        }
      }
    }
  }
}

TEST(Opus, RestoresALossFromThePacketAfterIt) {
  for (const auto& [rate, channels, frame] : {std::tuple{16000, 1, 100},
                                              {16000, 1, 200},
                                              {16000, 1, 400},
                                              {16000, 1, 600},
                                              {8000, 1, 200},
                                              {16000, 2, 200},
                                              {48000, 1, 200}}) {
    const Samples pcm = test::material(static_cast<std::uint32_t>(rate), static_cast<unsigned>(channels),
                                       static_cast<std::size_t>(rate) * 3);
    const std::vector<Bytes> packets =
        encode({rate, channels, frame, OPUS_APPLICATION_VOIP, 40000 * channels, true}, pcm);
    const auto each = static_cast<std::size_t>(frame * 16 / 10);
    // The frame queue has space for five packets. If six packets arrive at once, the first is lost.
    RecordedStream stream(static_cast<std::uint32_t>(frame / 2));
    Reference restored;
    Reference whole;
    Reference concealed;
    // The next packet does not contain a copy of every packet, so the test searches for a packet that was
    // copied.
    std::size_t lost = 10;
    const OpusStream parser;
    while (lost + 6 < packets.size() &&
           parser.restorable(packets[lost + 1].data(), packets[lost + 1].size()) == 0) {
      ++lost;
    }
    for (std::size_t p = 0; p < lost + 6; ++p) {
      stream.push(packets[p]);
      if (p < lost) stream.work();
      whole.decode(packets[p]);
      if (p == lost) continue;
      if (p == lost + 1) {
        restored.decode(packets[p], static_cast<int>(each));
        concealed.conceal(static_cast<int>(each));
      }
      restored.decode(packets[p]);
      concealed.decode(packets[p]);
    }
    stream.work();
    const std::string what =
        std::to_string(rate) + " Hz, " + std::to_string(channels) + " channels, " + std::to_string(frame);
    EXPECT_EQ(stream.stream().dropped(), 1u) << what;
    expectSame(stream, restored.samples(), what);
    // Restored audio must be closer to the lost audio than concealed audio is.
    const std::size_t at = lost * each;
    EXPECT_LT(error(restored.samples(), whole.samples(), at, each),
              error(concealed.samples(), whole.samples(), at, each))
        << what;
  }
}

TEST(Opus, ConcealsALossThatNothingRestores) {
  const Samples pcm = test::material(16000, 1, 32000);
  for (const int application : {OPUS_APPLICATION_VOIP, OPUS_APPLICATION_RESTRICTED_LOWDELAY}) {
    const std::vector<Bytes> packets = encode({16000, 1, 200, application, 24000}, pcm);
    RecordedStream stream(100);
    Reference reference;
    for (std::size_t p = 0; p < 26; ++p) {
      stream.push(packets[p]);
      if (p < 20) stream.work();
      if (p == 20) {
        reference.conceal(320);
      } else {
        reference.decode(packets[p]);
      }
    }
    stream.work();
    EXPECT_EQ(stream.stream().dropped(), 1u);
    expectSame(stream, reference.samples(), "application " + std::to_string(application));
  }
}

TEST(Opus, SaysWhatAPacketRestores) {
  const Samples pcm = test::material(16000, 1, 32000);
  const OpusStream stream;
  const auto restoring = [&](const Coding& coding) {
    std::size_t count = 0;
    for (const Bytes& packet : encode(coding, pcm)) {
      const std::size_t samples = stream.restorable(packet.data(), packet.size());
      if (samples == 0) continue;
      EXPECT_EQ(samples, static_cast<std::size_t>(coding.frame * 16 / 10));
      ++count;
    }
    return count;
  };
  EXPECT_GT(restoring({16000, 1, 200, OPUS_APPLICATION_VOIP, 24000, true}), 50u);
  EXPECT_GT(restoring({16000, 1, 600, OPUS_APPLICATION_VOIP, 24000, true}), 15u);
  EXPECT_EQ(restoring({16000, 1, 200, OPUS_APPLICATION_VOIP, 24000, false}), 0u);
  EXPECT_EQ(restoring({16000, 1, 200, OPUS_APPLICATION_RESTRICTED_LOWDELAY, 24000, true}), 0u);
  const std::uint8_t nothing[] = {0x48, 0x00};
  EXPECT_EQ(stream.restorable(nothing, 0), 0u);
  EXPECT_EQ(stream.restorable(nothing, 1), 0u) << "discontinuous transmission";
}

TEST(Opus, TakesPacketsOfDiscontinuousTransmission) {
  for (const int frame : {100, 200, 400, 600}) {
    Samples pcm = test::material(16000, 1, 16000);
    pcm.resize(16000 * 5, 0);
    const std::vector<Bytes> packets =
        encode({16000, 1, frame, OPUS_APPLICATION_VOIP, 24000, false, true}, pcm);
    RecordedStream stream;
    Reference reference;
    std::size_t empty = 0;
    for (const Bytes& packet : packets) {
      empty += packet.size() <= 2 ? 1 : 0;
      stream.push(packet);
      stream.work();
      reference.decode(packet);
    }
    EXPECT_GT(empty, packets.size() / 4) << frame;
    EXPECT_EQ(stream.stream().invalid(), 0u);
    EXPECT_EQ(stream.stream().position(), static_cast<std::int64_t>(packets.size()) * frame * 16 / 10);
    expectSame(stream, reference.samples(), std::to_string(frame));
  }
}

}  // namespace
}  // namespace cochlea
