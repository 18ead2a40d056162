#include "look/quiet.h"

#include <algorithm>

namespace cochlea {
namespace {

constexpr float kRate = 16000;
/// Time in seconds over which the excess of each band is averaged: the difference between the band's level
/// and the level around the wearer. The held audio of a stream must be longer; see Stream::kHold.
constexpr float kAverage = 0.07f;
/// A stream stirs if the mean excess over all bands is above `kMeanExcess`, or the excess of one band is
/// above `kBandExcess`. Both are in log2 of the amplitude: 0.4 is 2.4 dB.
constexpr float kMeanExcess = 0.4f;
constexpr float kBandExcess = 3;
/// Largest excess of a band that counts.
constexpr float kMaxExcess = 9;
/// A stream stirs if more than this share of its frames has the encoder's mark of a voice.
constexpr float kVoice = 0.4f;
/// Lower levels are raised to this one, because no speech is so quiet. It is about 80 dB below full scale.
constexpr float kLeastLevel = -2;
/// The detector clears a window (finds no speech in it) if the probability is below this value.
constexpr float kCleared = 0.15f;
/// Rates per second at which the levels around the wearer follow louder and quieter frames. While frames are
/// not decoded, the levels only sink, because the detector does not check whether louder frames contain
/// speech.
constexpr float kRise = 1;
constexpr float kFall = 0.5f;
constexpr float kRestingFall = 0.2f;

}  // namespace

void Quiet::decided(float probability, bool speaking) { calm_ = probability < kCleared && !speaking; }

void Quiet::look(const Look& look, std::size_t samples, bool decoded) {
  const float seconds = static_cast<float>(samples) / kRate;
  const float weight = std::min(1.f, seconds / kAverage);
  const bool known = count_ > 0 && look.count == count_;
  const bool nothing = look.kind == Look::Kind::kNothing;
  const bool levels = look.kind == Look::Kind::kBands && look.count > 0;
  float sum = 0;
  float most = 0;
  for (std::size_t band = 0; band < count_; ++band) {
    if (nothing || levels) {
      float excess = nothing ? 0 : kMaxExcess;
      if (known && levels) excess = std::max(kLeastLevel, look.bands[band]) - floor_[band];
      excess_[band] += weight * (std::clamp(excess, -kMaxExcess, kMaxExcess) - excess_[band]);
    }
    sum += std::clamp(excess_[band], 0.f, kBandExcess);
    most = std::max(most, excess_[band]);
  }
  const bool voice = look.kind == Look::Kind::kVoice || look.kind == Look::Kind::kUnknown;
  voice_ += weight * ((voice ? 1.f : 0.f) - voice_);
  const float mean = count_ > 0 ? sum / static_cast<float>(count_) : kMaxExcess;
  stirs_ = mean > kMeanExcess || most > kBandExcess || voice_ > kVoice;
  if (levels && (calm_ || !decoded)) learn(look, seconds, decoded);
  quietFor_ = stirs_ || !calm_ ? 0 : quietFor_ + samples;
}

void Quiet::learn(const Look& look, float seconds, bool decoded) {
  if (look.count != count_) {
    // The known levels come from another codec mode, whose bands cannot be compared with the bands of this
    // frame. The new levels replace them only if the detector processes the frame.
    if (!decoded) return;
    count_ = look.count;
    for (std::size_t band = 0; band < count_; ++band) floor_[band] = std::max(kLeastLevel, look.bands[band]);
    excess_.fill(0);
    return;
  }
  for (std::size_t band = 0; band < count_; ++band) {
    const float change = std::max(kLeastLevel, look.bands[band]) - floor_[band];
    const float rate = change > 0 ? (decoded ? kRise : 0) : (decoded ? kFall : kRestingFall);
    floor_[band] += std::min(1.f, rate * seconds) * change;
  }
}

}  // namespace cochlea
