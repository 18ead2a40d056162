#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace cochlea {

/// A look at a coded frame: the information about loudness and voice that can be read from the frame without
/// decoding it.
struct Look {
  static constexpr std::size_t kBands = 17;

  enum class Kind : std::uint8_t {
    /// The frame gives no information about loudness and voice, so it must be decoded.
    kUnknown,
    /// The encoder sent nothing but silence or comfort noise.
    kNothing,
    /// `bands` has the level of each band.
    kBands,
    /// The encoder found a voice.
    kVoice,
  };

  Kind kind = Kind::kUnknown;
  std::uint8_t count = 0;
  /// Levels of the bands in log2 of the amplitude: 1 is 6 dB. Only levels of the same codec can be compared.
  std::array<float, kBands> bands{};
};

}  // namespace cochlea
