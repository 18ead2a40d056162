#include "codec/aac.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "stream/stream.h"
#include "test/reference.h"

namespace cochlea {
namespace {

using test::Bytes;
using test::Samples;

struct Case {
  std::uint32_t rate;
  unsigned channels;
  unsigned kilobits;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = [] {
    std::vector<Case> list;
    for (const std::uint32_t rate : {7350u, 8000u, 11025u, 12000u, 16000u, 22050u, 24000u, 32000u, 44100u,
                                     48000u, 64000u, 88200u, 96000u}) {
      for (const unsigned channels : {1u, 2u}) list.push_back({rate, channels, 32});
    }
    for (const unsigned kilobits : {12u, 64u, 128u}) list.push_back({16000, 1, kilobits});
    for (const unsigned kilobits : {64u, 256u}) list.push_back({48000, 2, kilobits});
    return list;
  }();
  return all;
}

/// FFmpeg's results for every test case: the ADTS stream that it encodes, and the mono samples that it
/// decodes from it.
struct Reference {
  std::vector<Bytes> coded;
  std::vector<Samples> decoded;
};

/// Returns the results of FFmpeg; empty if FFmpeg is missing. They are computed once, because starting
/// FFmpeg is slow.
const Reference& reference() {
  static const Reference made = [] {
    Reference result;
    if (!test::hasTool("ffmpeg")) return result;
    const test::Folder folder;
    const Samples pcm = test::material(48000, 2, 96000);
    Bytes raw;
    for (const std::int16_t sample : pcm) {
      raw.push_back(static_cast<std::uint8_t>(sample));
      raw.push_back(static_cast<std::uint8_t>(static_cast<std::uint16_t>(sample) >> 8));
    }
    test::writeBytes(folder.file("in.raw"), raw);
    std::string encode = "ffmpeg -nostdin -f s16le -ar 48000 -ac 2 -i " + folder.file("in.raw");
    std::string inputs = "ffmpeg -nostdin";
    std::string outputs;
    for (std::size_t i = 0; i < cases().size(); ++i) {
      const Case& c = cases()[i];
      const std::string coded = folder.file(std::to_string(i) + ".aac");
      encode += " -c:a aac -ar " + std::to_string(c.rate) + " -ac " + std::to_string(c.channels) + " -b:a " +
                std::to_string(c.kilobits) + "k " + coded;
      inputs += " -i " + coded;
      outputs +=
          " -map " + std::to_string(i) + ":a -ac 1 -f s16le " + folder.file(std::to_string(i) + ".raw");
    }
    if (!test::run(encode) || !test::run(inputs + outputs)) return result;
    for (std::size_t i = 0; i < cases().size(); ++i) {
      result.coded.push_back(test::readBytes(folder.file(std::to_string(i) + ".aac")));
      result.decoded.push_back(test::samplesOf(test::readBytes(folder.file(std::to_string(i) + ".raw"))));
    }
    return result;
  }();
  return made;
}

std::vector<Bytes> framesOf(const Bytes& stream) {
  std::vector<Bytes> frames;
  for (std::size_t at = 0; at + 7 <= stream.size();) {
    const std::size_t length =
        (stream[at + 3] & 3u) << 11 | unsigned{stream[at + 4]} << 3 | unsigned{stream[at + 5]} >> 5;
    if (length < 7 || at + length > stream.size()) break;
    const auto from = stream.begin() + static_cast<std::ptrdiff_t>(at);
    frames.emplace_back(from, from + static_cast<std::ptrdiff_t>(length));
    at += length;
  }
  return frames;
}

/// Maximum number of samples at 16 kHz that a resampler looks ahead: half the length of its filter at the
/// lowest rate.
constexpr double kLookAhead = 96;

bool missing(std::string* why) {
  if (AacStream::version() == nullptr) {
    *why = "libavcodec is missing";
  } else if (reference().coded.empty()) {
    *why = "ffmpeg is missing, or does not encode";
  }
  return !why->empty();
}

TEST(Aac, IsWithinOneStepOfFfmpegAtEveryRate) {
  std::string why;
  if (missing(&why)) GTEST_SKIP() << why;
  for (std::size_t i = 0; i < cases().size(); ++i) {
    const Case& c = cases()[i];
    const auto stream = AacStream::make();
    ASSERT_TRUE(stream);
    Samples ours;
    for (const Bytes& frame : framesOf(reference().coded[i])) {
      std::int16_t out[FrameDecoder::kMaxSamples];
      EXPECT_EQ(stream->duration(frame.data(), frame.size()), 1024 * (AacStream::kUnitRate / c.rate));
      const FrameDecoder::Result result = stream->decode(frame.data(), frame.size(), out);
      EXPECT_TRUE(result.valid);
      ours.insert(ours.end(), out, out + result.samples);
    }
    EXPECT_EQ(stream->rate(), c.rate);
    const Samples& theirs = reference().decoded[i];
    ASSERT_GT(ours.size(), c.rate * 19 / 10);
    ASSERT_EQ(ours.size(), theirs.size()) << c.rate << " Hz";
    int worst = 0;
    double energy = 0;
    for (std::size_t k = 0; k < ours.size(); ++k) {
      worst = std::max(worst, std::abs(ours[k] - theirs[k]));
      energy += double(ours[k]) * ours[k];
    }
    EXPECT_LE(worst, 1) << c.rate << " Hz, " << c.channels << " channels, " << c.kilobits << " kbit/s";
    EXPECT_GT(std::sqrt(energy / static_cast<double>(ours.size())), 500) << c.rate;
  }
}

TEST(Aac, TheHeaderBeatsWhatWasDeclared) {
  std::string why;
  if (missing(&why)) GTEST_SKIP() << why;
  for (std::size_t i = 0; i < cases().size(); ++i) {
    Stream stream(0, {Codec::kAac, 8000, 1}, GateOptions{}, 2000, kernels());
    ASSERT_TRUE(stream.init());
    double memory[EventWriter::kStride * 64];
    EventWriter events(memory, 64);
    const std::vector<Bytes> frames = framesOf(reference().coded[i]);
    for (const Bytes& frame : frames) {
      stream.push(frame.data(), frame.size());
      while (stream.fill(events)) stream.advance(0, events);
    }
    EXPECT_EQ(stream.decoded(), frames.size());
    EXPECT_EQ(stream.invalid(), 0u);
    const double expected = static_cast<double>(frames.size()) * 1024 * 16000 / cases()[i].rate;
    EXPECT_NEAR(static_cast<double>(stream.position()), expected, kLookAhead) << cases()[i].rate;
  }
}

TEST(Aac, DropsAreMarkedAndTheClockStaysTrueAtEveryRate) {
  std::string why;
  if (missing(&why)) GTEST_SKIP() << why;
  for (std::size_t i = 0; i < cases().size(); ++i) {
    // All frames are pushed at once into a frame queue of half a second.
    Stream stream(0, {Codec::kAac, 8000, 1}, GateOptions{}, 500, kernels());
    ASSERT_TRUE(stream.init());
    double memory[EventWriter::kStride * 64];
    EventWriter events(memory, 64);
    const std::vector<Bytes> frames = framesOf(reference().coded[i]);
    for (const Bytes& frame : frames) stream.push(frame.data(), frame.size());
    while (stream.fill(events)) stream.advance(0, events);
    EXPECT_GT(stream.dropped(), 0u);
    EXPECT_EQ(stream.dropped() + stream.decoded(), frames.size());
    const double each = 1024.0 * 16000 / cases()[i].rate;
    EXPECT_NEAR(memory[3], static_cast<double>(stream.dropped()) * each, 1);
    EXPECT_NEAR(static_cast<double>(stream.position()), static_cast<double>(frames.size()) * each,
                kLookAhead);
  }
}

TEST(Aac, SurvivesBrokenFramesAndGoesOn) {
  std::string why;
  if (missing(&why)) GTEST_SKIP() << why;
  std::mt19937 random(5);
  const std::vector<Bytes> frames = framesOf(reference().coded[0]);
  const auto stream = AacStream::make();
  std::int16_t out[FrameDecoder::kMaxSamples];
  std::size_t refused = 0;
  for (int round = 0; round < 20; ++round) {
    for (Bytes frame : frames) {
      for (std::size_t at = 7; at < frame.size(); ++at) frame[at] = static_cast<std::uint8_t>(random());
      const FrameDecoder::Result result = stream->decode(frame.data(), frame.size(), out);
      EXPECT_LE(result.samples, FrameDecoder::kMaxSamples);
      refused += result.valid ? 0 : 1;
    }
  }
  EXPECT_GT(refused, 0u);
  std::size_t decoded = 0;
  for (const Bytes& frame : frames) decoded += stream->decode(frame.data(), frame.size(), out).valid ? 1 : 0;
  EXPECT_GE(decoded + 2, frames.size());
}

TEST(Aac, RefusesWhatIsNoWholeFrame) {
  // A frame of 8 bytes: 16 kHz, mono, without checksum.
  const Bytes good = {0xff, 0xf1, 0x60, 0x40, 0x01, 0x1f, 0xfc, 0x00};
  AdtsHeader header{};
  ASSERT_TRUE(AdtsHeader::parse(good.data(), good.size(), &header));
  EXPECT_EQ(header.rate, 16000u);
  EXPECT_EQ(header.channels, 1u);
  const auto refused = [&](std::size_t at, std::uint8_t value) {
    Bytes bytes = good;
    bytes[at] = value;
    return !AdtsHeader::parse(bytes.data(), bytes.size(), &header);
  };
  EXPECT_TRUE(refused(0, 0xfe)) << "no syncword";
  EXPECT_TRUE(refused(1, 0xe1)) << "no syncword";
  EXPECT_TRUE(refused(1, 0xf3)) << "another layer";
  EXPECT_TRUE(refused(1, 0xf0)) << "too short for the checksum and anything after it";
  EXPECT_TRUE(refused(2, 0x74)) << "no such rate";
  EXPECT_TRUE(refused(5, 0x3f)) << "longer than the message";
  EXPECT_TRUE(refused(6, 0xfd)) << "two blocks";
  for (std::size_t length = 0; length < good.size(); ++length) {
    EXPECT_FALSE(AdtsHeader::parse(good.data(), length, &header)) << length;
  }
}

}  // namespace
}  // namespace cochlea
