#include "codec/lc3.h"

#include <gtest/gtest.h>

#include <numeric>

#include "stream/stream.h"
#include "test/reference.h"

#ifdef COCHLEA_LC3
#include <lc3.h>

namespace cochlea {
namespace {

using test::Bytes;
using test::Samples;

constexpr std::uint32_t kRates[] = {8000, 16000, 24000, 32000, 48000};

/// Encodes one message for each of `sizes`. A size is the length in bytes of one channel's frame.
std::vector<Bytes> encode(std::uint32_t rate, unsigned channels, const std::vector<std::size_t>& sizes) {
  const int hertz = static_cast<int>(rate);
  const std::size_t each = rate / 100;
  const Samples pcm = test::material(rate, channels, each * sizes.size());
  std::vector<lc3_encoder_mem_48k_t> memory(channels);
  std::vector<Bytes> messages;
  for (auto& one : memory) lc3_setup_encoder(10000, hertz, 0, &one);
  for (std::size_t f = 0; f < sizes.size(); ++f) {
    Bytes message(sizes[f] * channels);
    for (unsigned c = 0; c < channels; ++c) {
      const auto encoder = reinterpret_cast<lc3_encoder_t>(&memory[c]);
      EXPECT_EQ(
          lc3_encode(encoder, LC3_PCM_FORMAT_S16, pcm.data() + f * each * channels + c,
                     static_cast<int>(channels), static_cast<int>(sizes[f]), message.data() + c * sizes[f]),
          0);
    }
    messages.push_back(message);
  }
  return messages;
}

std::vector<std::size_t> everySize() {
  std::vector<std::size_t> sizes(Lc3Stream::kMaxFrame - Lc3Stream::kMinFrame + 1);
  std::iota(sizes.begin(), sizes.end(), Lc3Stream::kMinFrame);
  return sizes;
}

Samples decode(Lc3Stream& stream, const std::vector<Bytes>& messages) {
  Samples all;
  for (const Bytes& message : messages) {
    std::int16_t out[FrameDecoder::kMaxSamples];
    EXPECT_EQ(stream.duration(message.data(), message.size()), stream.rate() / 100);
    const FrameDecoder::Result result = stream.decode(message.data(), message.size(), out);
    EXPECT_TRUE(result.valid);
    EXPECT_EQ(result.samples, stream.rate() / 100);
    all.insert(all.end(), out, out + result.samples);
  }
  return all;
}

/// Returns a file for the program `dlc3`: a header of 18 bytes, then each message with its length before it.
Bytes container(std::uint32_t rate, unsigned channels, const std::vector<Bytes>& messages) {
  const auto samples = static_cast<std::uint32_t>(messages.size() * (rate / 100));
  Bytes file;
  const auto word = [&](std::uint32_t value) {
    file.push_back(static_cast<std::uint8_t>(value));
    file.push_back(static_cast<std::uint8_t>(value >> 8));
  };
  for (const std::uint32_t value :
       {0xcc1cu, 18u, rate / 100, 640u, channels, 1000u, 0u, samples & 0xffff, samples >> 16}) {
    word(value);
  }
  for (const Bytes& message : messages) {
    word(static_cast<std::uint32_t>(message.size()));
    file.insert(file.end(), message.begin(), message.end());
  }
  return file;
}

Samples mixed(const Samples& interleaved, unsigned channels) {
  if (channels == 1) return interleaved;
  Samples mono;
  for (std::size_t i = 0; i + 1 < interleaved.size(); i += 2) {
    // NOLINTNEXTLINE(bugprone-signed-bitwise): the decoder rounds down, a division towards zero.
    mono.push_back(static_cast<std::int16_t>((interleaved[i] + interleaved[i + 1]) >> 1));
  }
  return mono;
}

TEST(Lc3, IsBitExactWithTheReferenceDecoderAtEveryRateAndFrameSize) {
  if (!test::hasTool("dlc3")) GTEST_SKIP() << "dlc3 is missing (Debian: liblc3-tools)";
  const test::Folder folder;
  for (const std::uint32_t rate : kRates) {
    for (const unsigned channels : {1u, 2u}) {
      const std::vector<Bytes> messages = encode(rate, channels, everySize());
      test::writeBytes(folder.file("in.lc3"), container(rate, channels, messages));
      ASSERT_TRUE(test::run("dlc3 " + folder.file("in.lc3") + " " + folder.file("out.wav")));
      const Samples reference = mixed(test::samplesOf(test::readBytes(folder.file("out.wav")), 44), channels);
      const auto stream = Lc3Stream::make(rate, channels, 0);
      ASSERT_TRUE(stream);
      Samples ours = decode(*stream, messages);
      // `dlc3` removes the codec's delay at the beginning, and a live stream does not. So the test removes it
      // from the samples of the stream.
      const std::size_t delay = static_cast<std::size_t>(lc3_delay_samples(10000, static_cast<int>(rate)));
      ours.erase(ours.begin(), ours.begin() + static_cast<std::ptrdiff_t>(delay));
      ASSERT_GE(reference.size(), ours.size());
      EXPECT_TRUE(std::equal(ours.begin(), ours.end(), reference.begin())) << rate << " Hz, " << channels;
    }
  }
}

TEST(Lc3, TakesOnlyFramesOfTheLengthItWasToldOf) {
  const Bytes bytes(1000);
  const auto any = Lc3Stream::make(16000, 1, 0);
  const auto pair = Lc3Stream::make(16000, 2, 0);
  const auto fixed = Lc3Stream::make(16000, 1, 30);
  const auto fixedPair = Lc3Stream::make(48000, 2, 30);
  for (std::size_t length = 0; length <= 1000; ++length) {
    EXPECT_EQ(any->duration(bytes.data(), length), length >= 20 && length <= 400 ? 160u : 0u) << length;
    EXPECT_EQ(pair->duration(bytes.data(), length),
              length % 2 == 0 && length >= 40 && length <= 800 ? 160u : 0u);
    EXPECT_EQ(fixed->duration(bytes.data(), length), length == 30 ? 160u : 0u) << length;
    EXPECT_EQ(fixedPair->duration(bytes.data(), length), length == 60 ? 480u : 0u) << length;
  }
}

TEST(Lc3, RefusesOtherRatesAndChannelCounts) {
  for (const std::uint32_t rate : {0u, 7999u, 12000u, 44100u, 96000u}) {
    EXPECT_FALSE(Lc3Stream::make(rate, 1, 0)) << rate;
  }
  EXPECT_FALSE(Lc3Stream::make(16000, 0, 0));
  EXPECT_FALSE(Lc3Stream::make(16000, 3, 0));
}

TEST(Lc3, ConcealsAWholeFrameOrNothing) {
  for (const std::uint32_t rate : kRates) {
    const auto stream = Lc3Stream::make(rate, 1, 0);
    decode(*stream, encode(rate, 1, std::vector<std::size_t>(20, 80)));
    std::int16_t out[FrameDecoder::kMaxSamples];
    const std::size_t frame = rate / 100;
    EXPECT_EQ(stream->conceal(out, frame - 1), 0u);
    ASSERT_EQ(stream->conceal(out, frame + 1), frame);
    double energy = 0;
    for (std::size_t i = 0; i < frame; ++i) energy += double(out[i]) * out[i];
    EXPECT_GT(std::sqrt(energy / double(frame)), 300) << rate;
  }
}

TEST(Lc3, CountsBrokenFramesAndKeepsTheClockTrue) {
  const Format format{Codec::kLc3Fs1030, 16000, 1};
  Stream stream(0, format, GateOptions{}, 2000, kernels());
  ASSERT_TRUE(stream.init());
  std::mt19937 random(3);
  double memory[EventWriter::kStride * 64];
  EventWriter events(memory, 64);
  std::size_t refused = 0;
  for (int f = 0; f < 64; ++f) {
    Bytes frame(30);
    for (auto& byte : frame) byte = static_cast<std::uint8_t>(random());
    stream.push(frame.data(), frame.size());
    while (stream.fill(events)) stream.advance(0, events);
    refused = stream.invalid();
  }
  EXPECT_EQ(stream.decoded() + refused, 64u);
  EXPECT_GT(refused, 0u);
  EXPECT_EQ(stream.position(), 64 * 160);
}

TEST(Lc3, ReachesTheDetectorUnchanged) {
  const std::vector<Bytes> messages = encode(16000, 1, std::vector<std::size_t>(320, 30));
  const auto decoder = Lc3Stream::make(16000, 1, 30);
  const Samples expected = decode(*decoder, messages);
  Stream stream(0, {Codec::kLc3Fs1030, 16000, 1}, GateOptions{}, 2000, kernels());
  ASSERT_TRUE(stream.init());
  double memory[EventWriter::kStride * 64];
  EventWriter events(memory, 64);
  Samples seen;
  for (const Bytes& message : messages) {
    stream.push(message.data(), message.size());
    while (stream.fill(events)) {
      seen.insert(seen.end(), stream.window(), stream.window() + kWindow);
      stream.advance(0, events);
    }
  }
  ASSERT_GT(seen.size(), 50000u);
  EXPECT_TRUE(std::equal(seen.begin(), seen.end(), expected.begin()));
}

TEST(Lc3, DropsAreConcealedAndTheClockStaysTrueAtEveryRate) {
  for (const std::uint32_t rate : kRates) {
    const std::vector<Bytes> messages = encode(rate, 1, std::vector<std::size_t>(320, 40));
    Stream stream(0, {Codec::kLc3, rate, 1}, GateOptions{}, 2000, kernels());
    ASSERT_TRUE(stream.init());
    double memory[EventWriter::kStride * 64];
    EventWriter events(memory, 64);
    // 3.2 s of audio are pushed at once into a frame queue of 2 s.
    for (const Bytes& message : messages) stream.push(message.data(), message.size());
    EXPECT_EQ(stream.dropped(), 120u);
    while (stream.fill(events)) stream.advance(0, events);
    // Only samples that the resampler needs to look ahead may be missing.
    EXPECT_LE(stream.position(), 320 * 160);
    EXPECT_GT(stream.position(), 320 * 160 - 96) << rate;
    EXPECT_EQ(memory[2], 120);
    EXPECT_EQ(memory[3], 120 * 160);
  }
}

}  // namespace
}  // namespace cochlea

#else

TEST(Lc3, IsLeftOutOfThisBuild) { GTEST_SKIP() << "liblc3 is missing (Debian: liblc3-dev)"; }

#endif
