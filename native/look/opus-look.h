#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "look/look.h"

namespace cochlea {

/// Reads how loud an Opus packet is from the beginning of its frames, without decoding it (RFC 6716). A CELT
/// frame begins with the energies of its bands. A SILK frame begins with the encoder's decision about voice
/// activity, and with its gains. The energies of CELT frames depend on the frames before, so every packet of
/// a stream must be read in order. After a loss, the energies become right again within a few frames.
class OpusLook {
 public:
  /// @param packet a legal packet
  Look read(const std::uint8_t* packet, std::size_t length);

 private:
  static constexpr std::size_t kBands = 21;

  void readCelt(const std::uint8_t* frame, std::size_t length, std::uint8_t config, bool stereo, Look& look);
  static void readSilk(const std::uint8_t* frame, std::size_t length, std::uint8_t config, Look& look);

  /// Energies of the last CELT frame of both channels, relative to the mean of each band, in log2 of the
  /// amplitude. The fine part of each energy, at most 0.5, is left out.
  std::array<std::array<float, kBands>, 2> energies_{};
};

}  // namespace cochlea
