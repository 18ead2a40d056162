// Fuzzes `OpusLook` with the packets of one Opus stream, and `Quiet`, which decides whether the stream is
// silent.
#include "look/opus-look.h"

#include <cmath>

#include "fuzz/frames.h"
#include "look/quiet.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  cochlea::OpusLook reader;
  cochlea::Quiet quiet;
  cochlea::fuzz::Frames frames(data, size);
  while (frames.next()) {
    const cochlea::Look look = reader.read(frames.data(), frames.size());
    cochlea::fuzz::require(look.count <= cochlea::Look::kBands);
    for (std::size_t band = 0; band < look.count; ++band) {
      cochlea::fuzz::require(std::isfinite(look.bands[band]));
    }
    quiet.look(look, 320, (frames.flags() & 1) == 0);
    quiet.decided((frames.flags() & 2) == 0 ? 0.f : 0.5f, (frames.flags() & 4) != 0);
  }
  return 0;
}
