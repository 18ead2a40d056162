#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "stream/stream.h"

namespace cochlea {
namespace {

constexpr std::size_t kLongest = 65536;
constexpr Codec kCodecs[] = {Codec::kPcm8, Codec::kPcm16, Codec::kOpus,
                             Codec::kAac,  Codec::kLc3,   Codec::kLc3Fs1030};

/// Returns random bytes from a fixed seed.
std::vector<std::uint8_t> noise() {
  std::vector<std::uint8_t> bytes(kLongest);
  std::mt19937 random(11);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
  return bytes;
}

/// Writes an ADTS header into `frame` that declares the length `length` modulo 8,192. If the frame is shorter
/// than the header, only the start of the header is written.
void writeAdtsHeader(std::uint8_t* frame, std::size_t length) {
  const std::uint8_t header[] = {0xff,
                                 0xf1,
                                 0x60,
                                 static_cast<std::uint8_t>(0x40 | (length >> 11 & 3)),
                                 static_cast<std::uint8_t>(length >> 3),
                                 static_cast<std::uint8_t>((length & 7) << 5 | 0x1f),
                                 0xfc};
  std::memcpy(frame, header, std::min(length, sizeof header));
}

// Decodes frames of every length with every codec. With sanitizers, this shows that no codec has undefined
// behaviour.
TEST(EveryLength, IsSurvivedByEveryCodec) {
  const std::vector<std::uint8_t> source = noise();
  // Each frame ends where this allocation ends, so that a sanitizer finds a read past the frame.
  const auto frame = std::make_unique<std::uint8_t[]>(kLongest);
  const auto space = std::make_unique<double[]>(EventWriter::kStride * 64);
  for (const Codec codec : kCodecs) {
    for (const unsigned channels : {1u, 2u}) {
      Stream stream(0, {codec, 16000, channels}, GateOptions{}, 200, kernels());
      // Skips a codec whose library is missing.
      if (!stream.init()) continue;
      std::size_t windows = 0;
      for (std::size_t length = 0; length <= kLongest; ++length) {
        std::uint8_t* bytes = frame.get() + kLongest - length;
        // Enough new bytes for the decoder are copied. The rest of the frame keeps the bytes of the previous
        // frame.
        std::memcpy(bytes, source.data() + length % 4096, std::min<std::size_t>(length, 512));
        if (codec == Codec::kAac) writeAdtsHeader(bytes, length);
        // Tries every configuration and frame-count code of an Opus packet.
        if (codec == Codec::kOpus && length > 0) bytes[0] = static_cast<std::uint8_t>(length);
        stream.push(bytes, length);
        // At most two windows are decoded after each frame. Long frames contain more, so the frame queue also
        // drops frames.
        for (int turn = 0; turn < 2; ++turn) {
          EventWriter events(space.get(), 64);
          if (!stream.fill(events)) break;
          ++windows;
          stream.advance(length % 64 < 32 ? 0.9f : 0.0f, events);
          while (stream.take()) {
          }
        }
      }
      EXPECT_GE(stream.position(), static_cast<std::int64_t>(windows * kWindow));
      EXPECT_GT(stream.invalid(), 0u);
      EXPECT_LT(stream.bytes(), 4u << 20);
      // For PCM, only the empty message is an invalid frame.
      if (codec == Codec::kPcm8 || codec == Codec::kPcm16) {
        EXPECT_EQ(stream.invalid(), 1u);
      }
    }
  }
}

}  // namespace
}  // namespace cochlea
