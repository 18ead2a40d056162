#include "codec/pcm.h"

#include <gtest/gtest.h>

#include <vector>

namespace cochlea {
namespace {

std::vector<std::int16_t> decode(PcmDecoder& decoder, const std::vector<std::uint8_t>& bytes) {
  std::vector<std::int16_t> out(bytes.size() + 1);
  std::size_t consumed = 0;
  out.resize(decoder.decode(bytes.data(), bytes.size(), out.data(), out.size(), &consumed));
  EXPECT_EQ(consumed, bytes.size());
  return out;
}

using Samples = std::vector<std::int16_t>;

TEST(Pcm, ReadsUnsignedBytesAroundTheirMiddle) {
  PcmDecoder decoder(false, 1);
  EXPECT_EQ(decode(decoder, {0x00, 0x80, 0xff}), (Samples{-32768, 0, 32512}));
}

TEST(Pcm, ReadsLittleEndianWords) {
  PcmDecoder decoder(true, 1);
  EXPECT_EQ(decode(decoder, {0x01, 0x00, 0xff, 0xff, 0x00, 0x80}), (Samples{1, -1, -32768}));
}

TEST(Pcm, MixesStereoToTheMean) {
  PcmDecoder decoder(true, 2);
  EXPECT_EQ(decode(decoder, {0x02, 0, 0x04, 0, 0xff, 0x7f, 0xff, 0x7f, 0x00, 0x80, 0x00, 0x80}),
            (Samples{3, 32767, -32768}));
}

TEST(Pcm, TakesAnEmptyMessageInTheMiddleOfASample) {
  PcmDecoder decoder(true, 1);
  EXPECT_EQ(decode(decoder, {0x05}), Samples{});
  // The address of an empty message may be null, and nothing may be copied from it.
  EXPECT_EQ(decode(decoder, {}), Samples{});
  EXPECT_EQ(decode(decoder, {0x00}), Samples{5});
}

TEST(Pcm, CarriesTheRestOfASample) {
  for (std::size_t split = 0; split <= 8; ++split) {
    const std::vector<std::uint8_t> bytes = {1, 0, 3, 0, 5, 0, 7, 0};
    PcmDecoder decoder(true, 2);
    const auto middle = bytes.begin() + static_cast<std::ptrdiff_t>(split);
    Samples all = decode(decoder, {bytes.begin(), middle});
    const Samples rest = decode(decoder, {middle, bytes.end()});
    all.insert(all.end(), rest.begin(), rest.end());
    EXPECT_EQ(all, (Samples{2, 6})) << "split at " << split;
  }
}

TEST(Pcm, StopsWhenTheOutputIsFullAndResumes) {
  PcmDecoder decoder(true, 1);
  const std::vector<std::uint8_t> bytes = {1, 0, 2, 0, 3, 0, 4};
  Samples all;
  std::size_t at = 0;
  while (at < bytes.size()) {
    std::int16_t sample;
    std::size_t consumed = 0;
    const std::size_t count = decoder.decode(bytes.data() + at, bytes.size() - at, &sample, 1, &consumed);
    at += consumed;
    if (count == 1) all.push_back(sample);
  }
  EXPECT_EQ(all, (Samples{1, 2, 3}));
}

TEST(Pcm, StaysAlignedAfterAnyLoss) {
  // Sample n has the value n. After any loss the decoder must continue at the start of a sample.
  for (std::size_t before = 0; before < 7; ++before) {
    for (std::size_t lost = 0; lost < 9; ++lost) {
      std::vector<std::uint8_t> stream;
      for (std::uint8_t n = 0; n < 16; ++n) stream.insert(stream.end(), {n, 0});
      PcmDecoder decoder(true, 1);
      const auto at = [&](std::size_t i) { return stream.begin() + static_cast<std::ptrdiff_t>(i); };
      decode(decoder, {at(0), at(before)});
      decoder.skip(lost);
      const Samples rest = decode(decoder, {at(before + lost), stream.end()});
      const std::size_t first = lost == 0 ? before / 2 : (before + lost + 1) / 2;
      ASSERT_FALSE(rest.empty());
      if (lost > 0 || before % 2 == 0) {
        EXPECT_EQ(rest.front(), static_cast<std::int16_t>(first)) << before << " " << lost;
      }
      EXPECT_EQ(rest.back(), 15);
    }
  }
}

}  // namespace
}  // namespace cochlea
