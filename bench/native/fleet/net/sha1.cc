#include "sha1.h"

namespace cochlea {
namespace {

std::uint32_t rotate(std::uint32_t value, unsigned bits) { return value << bits | value >> (32 - bits); }

void addBlock(std::array<std::uint32_t, 5>& hash, const std::uint8_t* block) {
  std::array<std::uint32_t, 80> words;
  for (std::size_t i = 0; i < 16; ++i) {
    words[i] = std::uint32_t{block[4 * i]} << 24 | std::uint32_t{block[4 * i + 1]} << 16 |
               std::uint32_t{block[4 * i + 2]} << 8 | block[4 * i + 3];
  }
  for (std::size_t i = 16; i < 80; ++i) {
    words[i] = rotate(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
  }
  auto [a, b, c, d, e] = hash;
  for (std::size_t i = 0; i < 80; ++i) {
    std::uint32_t mixed;
    if (i < 20) {
      mixed = ((b & c) | (~b & d)) + 0x5a827999;
    } else if (i < 40) {
      mixed = (b ^ c ^ d) + 0x6ed9eba1;
    } else if (i < 60) {
      mixed = ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
    } else {
      mixed = (b ^ c ^ d) + 0xca62c1d6;
    }
    const std::uint32_t next = rotate(a, 5) + mixed + e + words[i];
    e = d;
    d = c;
    c = rotate(b, 30);
    b = a;
    a = next;
  }
  hash[0] += a;
  hash[1] += b;
  hash[2] += c;
  hash[3] += d;
  hash[4] += e;
}

}  // namespace

std::array<std::uint8_t, 20> sha1(std::string_view bytes) {
  std::array<std::uint32_t, 5> hash = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  std::string padded(bytes);
  padded += '\x80';
  while (padded.size() % 64 != 56) padded += '\0';
  const std::uint64_t bits = std::uint64_t{bytes.size()} * 8;
  for (int shift = 56; shift >= 0; shift -= 8) padded += static_cast<char>(bits >> shift);
  for (std::size_t at = 0; at < padded.size(); at += 64) {
    addBlock(hash, reinterpret_cast<const std::uint8_t*>(padded.data()) + at);
  }
  std::array<std::uint8_t, 20> digest;
  for (std::size_t i = 0; i < digest.size(); ++i) {
    digest[i] = static_cast<std::uint8_t>(hash[i / 4] >> (24 - 8 * (i % 4)));
  }
  return digest;
}

std::string base64(const std::uint8_t* bytes, std::size_t length) {
  static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t at = 0; at < length; at += 3) {
    const std::size_t rest = length - at;
    const std::uint32_t group = std::uint32_t{bytes[at]} << 16 | (rest > 1 ? std::uint32_t{bytes[at + 1]} << 8 : 0) |
                                (rest > 2 ? bytes[at + 2] : 0);
    text += kDigits[group >> 18];
    text += kDigits[group >> 12 & 63];
    text += rest > 1 ? kDigits[group >> 6 & 63] : '=';
    text += rest > 2 ? kDigits[group & 63] : '=';
  }
  return text;
}

}  // namespace cochlea
