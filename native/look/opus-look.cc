#include "look/opus-look.h"

#include <opus.h>

#include <algorithm>

#include "look/range-reader.h"

namespace cochlea {
namespace {

/// Frequency of 0 and decay of the Laplace distribution of each band (RFC 6716, section 4.3.2.1). The first
/// index is the duration of the frame, from 2.5 to 20 ms. The second one is 0 if energies are predicted from
/// the frame before, else 1.
constexpr std::uint8_t kModels[4][2][42] = {
    {{72, 127, 65, 129, 66, 128, 65, 128, 64, 128, 62, 128, 64, 128, 64, 128, 92, 78,  92, 79,  92,
      78, 90,  79, 116, 41, 115, 40, 114, 40, 132, 26, 132, 26, 145, 17, 161, 12, 176, 10, 177, 11},
     {24, 179, 48, 138, 54, 135, 54, 132, 53, 134, 56, 133, 55, 132, 55, 132, 61, 114, 70, 96, 74,
      88, 75,  88, 87,  74, 89,  66, 91,  67, 100, 59, 108, 50, 120, 40, 122, 37, 97,  43, 78, 50}},
    {{83, 78,  84, 81,  88, 75,  86, 74,  87, 71,  90, 73,  93, 74,  93, 74,  109, 40,  114, 36,  117,
      34, 117, 34, 143, 17, 145, 18, 146, 19, 162, 12, 165, 10, 178, 7,  189, 6,   190, 8,   177, 9},
     {23, 178, 54, 115, 63, 102, 66, 98,  69, 99,  74, 89,  71, 91,  73, 91,  78, 89, 86, 80, 92,
      66, 93,  64, 102, 59, 103, 60, 104, 60, 117, 52, 123, 44, 138, 35, 133, 31, 97, 38, 77, 45}},
    {{61, 90,  93, 60,  105, 42,  107, 41,  110, 45,  116, 38,  113, 38,  112, 38,  124, 26,  132, 27,  136,
      19, 140, 20, 155, 14,  159, 16,  158, 18,  170, 13,  177, 10,  187, 8,   192, 6,   175, 9,   159, 10},
     {21, 178, 59, 110, 71, 86,  75, 85,  84, 83,  91, 66,  88, 73,  87, 72,  92, 75, 98, 72, 105,
      58, 107, 54, 115, 52, 114, 55, 112, 56, 129, 51, 132, 40, 150, 33, 140, 29, 98, 35, 77, 42}},
    {{42, 121, 96, 66,  108, 43,  111, 40,  117, 44,  123, 32,  120, 36,  119, 33,  127, 33,  134, 34,  139,
      21, 147, 23, 152, 20,  158, 25,  154, 26,  166, 21,  173, 16,  184, 13,  184, 10,  150, 13,  139, 15},
     {22, 178, 63, 114, 74, 82,  84, 83,  92, 82,  103, 62,  96, 72,  96, 67,  101, 73, 107, 72, 113,
      55, 118, 52, 125, 52, 118, 52, 117, 55, 135, 49,  137, 39, 157, 32, 145, 29,  97, 33,  77, 40}},
};

/// Weight of the energy in the frame before in the prediction of an energy, by duration of the frame.
constexpr float kFromBefore[4] = {29440 / 32768.f, 26112 / 32768.f, 21248 / 32768.f, 16384 / 32768.f};
/// Weight of the energy in the band below in the prediction of an energy, by duration of the frame.
constexpr float kFromBelow[4] = {30147 / 32768.f, 22282 / 32768.f, 12124 / 32768.f, 6554 / 32768.f};
constexpr float kFromBelowAlone = 4915 / 32768.f;

/// Mean level of each band (RFC 6716, section 4.3.2).
constexpr float kMeans[21] = {6.4375f, 6.25f,  5.75f,   5.3125f, 5.0625f, 4.8125f, 4.5f,
                              4.375f,  4.875f, 4.6875f, 4.5625f, 4.4375f, 4.875f,  4.625f,
                              4.3125f, 4.5f,   4.375f,  4.625f,  4.75f,   4.4375f, 3.75f};
constexpr float kSilent = -28;

constexpr std::uint8_t kTapset[] = {2, 1, 0};
constexpr std::uint8_t kFewBits[] = {2, 1, 0};

/// Inverse frequencies of SILK without voice activity (RFC 6716, sections 4.2.7.3 and 4.2.7.4).
constexpr std::uint8_t kInactiveType[] = {230, 0};
constexpr std::uint8_t kInactiveGain[] = {224, 112, 44, 15, 3, 2, 1, 0};
constexpr std::uint8_t kEighths[] = {224, 192, 160, 128, 96, 64, 32, 0};
constexpr std::uint8_t kGainChange[] = {250, 245, 234, 203, 71, 50, 42, 38, 35, 33, 31, 29, 28, 27,
                                        26,  25,  24,  23,  22, 21, 20, 19, 18, 17, 16, 15, 14, 13,
                                        12,  11,  10,  9,   8,  7,  6,  5,  4,  3,  2,  1,  0};
constexpr int kLargestGain = 63;
/// Log2 of the amplitude in one step of a gain.
constexpr float kGainStep = 0.2275f;

/// Bands of CELT up to the frequency of narrowband, wideband, super-wideband and fullband.
constexpr std::size_t kCeltBands[] = {13, 17, 19, 21};

}  // namespace

Look OpusLook::read(const std::uint8_t* packet, std::size_t length) {
  Look look;
  const unsigned char* frames[48];
  opus_int16 sizes[48];
  unsigned char toc;
  const int count =
      length == 0 ? 0
                  : opus_packet_parse(packet, static_cast<opus_int32>(length), &toc, frames, sizes, nullptr);
  if (count < 1) return look;
  const auto config = static_cast<std::uint8_t>(toc >> 3u);
  const bool stereo = (toc & 4u) != 0;
  // In a stereo SILK frame, the gains come after the parameters of stereo prediction. This class does not
  // read those parameters, so it cannot reach the gains.
  if (config < 16 && stereo) return look;
  look.kind = Look::Kind::kNothing;
  look.bands.fill(kSilent);
  for (int i = 0; i < count; ++i) {
    const auto size = static_cast<std::size_t>(sizes[i]);
    // A frame of at most one byte has no content: the encoder stopped sending in silence.
    if (size <= 1) continue;
    if (config >= 16) {
      readCelt(frames[i], size, config, stereo, look);
    } else {
      readSilk(frames[i], size, config, look);
    }
  }
  return look;
}

void OpusLook::readCelt(const std::uint8_t* frame, std::size_t length, std::uint8_t config, bool stereo,
                        Look& look) {
  const unsigned duration = config & 3u;
  const std::size_t end = kCeltBands[(config - 16u) >> 2u];
  const std::size_t channels = stereo ? 2 : 1;
  const std::size_t total = 8 * length;
  if (!stereo) {
    for (std::size_t band = 0; band < kBands; ++band) {
      energies_[0][band] = std::max(energies_[0][band], energies_[1][band]);
    }
  }
  RangeReader reader(frame, length);
  if (reader.bit(15)) {
    for (auto& channel : energies_) channel.fill(kSilent);
    return;
  }
  if (reader.position() + 16 <= total && reader.bit(1)) {
    const unsigned octave = reader.uniform(6);
    reader.skipRaw(4 + octave + 3);
    if (reader.position() + 2 <= total) reader.symbol(kTapset, 2);
  }
  if (duration > 0 && reader.position() + 3 <= total) reader.bit(3);
  const bool alone = reader.position() + 3 <= total && reader.bit(3);
  const float fromBefore = alone ? 0 : kFromBefore[duration];
  const float fromBelow = alone ? kFromBelowAlone : kFromBelow[duration];
  const std::uint8_t* model = kModels[duration][alone ? 1 : 0];
  float below[2] = {};
  for (std::size_t band = 0; band < end; ++band) {
    for (std::size_t channel = 0; channel < channels; ++channel) {
      const std::size_t left = total - std::min(total, reader.position());
      int change = -1;
      if (left >= 15) {
        change = reader.laplace(model[2 * band] << 7u, model[2 * band + 1] << 6u);
      } else if (left >= 2) {
        const auto few = static_cast<int>(reader.symbol(kFewBits, 2));
        change = few % 2 != 0 ? -(few + 1) / 2 : few / 2;
      } else if (left >= 1) {
        change = reader.bit(1) ? -1 : 0;
      }
      const auto step = static_cast<float>(change);
      float& energy = energies_[channel][band];
      energy = std::min(28.f, std::max(kSilent, fromBefore * std::max(-9.f, energy) + below[channel] + step));
      below[channel] += step - fromBelow * step;
    }
  }
  if (!stereo) energies_[1] = energies_[0];
  look.kind = std::max(look.kind, Look::Kind::kBands);
  look.count = static_cast<std::uint8_t>(std::max<std::size_t>(look.count, std::min(end, Look::kBands)));
  for (std::size_t band = 0; band < look.count; ++band) {
    const float level = std::max(energies_[0][band], energies_[1][band]) + kMeans[band];
    look.bands[band] = std::max(look.bands[band], level);
  }
}

void OpusLook::readSilk(const std::uint8_t* frame, std::size_t length, std::uint8_t config, Look& look) {
  // Frames of SILK alone last 10, 20, 40 or 60 ms. Hybrid frames (SILK and CELT) last 10 or 20 ms.
  const unsigned duration = config < 12 ? config & 3u : config & 1u;
  const unsigned parts = std::max(1u, duration);
  RangeReader reader(frame, length);
  bool voice = false;
  for (unsigned part = 0; part < parts; ++part) voice = reader.bit(1) || voice;
  // The bit says whether the frame contains a copy of the previous frame. The encoder adds a copy only if the
  // previous frame had voice.
  voice = reader.bit(1) || voice;
  if (voice) {
    look.kind = Look::Kind::kVoice;
    return;
  }
  reader.symbol(kInactiveType, 8);
  auto gain = static_cast<int>(8 * reader.symbol(kInactiveGain, 8));
  gain += static_cast<int>(reader.symbol(kEighths, 8));
  int loudest = gain;
  for (unsigned block = 1; block < (duration == 0 ? 2u : 4u); ++block) {
    const int change = static_cast<int>(reader.symbol(kGainChange, 8)) - 4;
    gain = std::clamp(gain + change, 0, kLargestGain);
    loudest = std::max(loudest, gain);
  }
  look.kind = std::max(look.kind, Look::Kind::kBands);
  look.count = std::max<std::uint8_t>(look.count, 1);
  look.bands[0] = std::max(look.bands[0], kGainStep * static_cast<float>(loudest));
}

}  // namespace cochlea
