#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace cochlea {

/// What a coded frame says about its audio before it is decoded.
struct Look {
  static constexpr std::size_t kBands = 17;

  enum class Kind : std::uint8_t {
    /// The frame says nothing. It must be decoded.
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
