#include "codec/opus.h"

#include <opus.h>

namespace cochlea {
namespace {

constexpr opus_int32 kRate = 16000;
// Far above any legal packet (1,275 bytes a frame, 48 frames), and within opus_int32.
constexpr std::size_t kMaxPacket = 1 << 20;

}  // namespace

const char* OpusStream::version() { return opus_get_version_string(); }

std::size_t OpusStream::duration(const std::uint8_t* packet, std::size_t length) {
  // An empty packet means "conceal" to libopus; on the wire it is a frame that does not decode.
  if (length == 0 || length > kMaxPacket) return 0;
  const int samples = opus_packet_get_nb_samples(packet, static_cast<opus_int32>(length), kRate);
  return samples > 0 && static_cast<std::size_t>(samples) <= kMaxSamples ? static_cast<std::size_t>(samples) : 0;
}

bool OpusStream::init() {
  memory_.resize((static_cast<std::size_t>(opus_decoder_get_size(1)) + 7) / 8);
  return opus_decoder_init(decoder(), kRate, 1) == OPUS_OK;
}

OpusDecoder* OpusStream::decoder() { return reinterpret_cast<OpusDecoder*>(memory_.data()); }

std::size_t OpusStream::decode(const std::uint8_t* packet, std::size_t length, std::int16_t* out) {
  if (length == 0 || length > kMaxPacket) return 0;
  const int samples = opus_decode(decoder(), packet, static_cast<opus_int32>(length), out, kMaxSamples, 0);
  return samples > 0 ? static_cast<std::size_t>(samples) : 0;
}

std::size_t OpusStream::conceal(std::int16_t* out, std::size_t samples) {
  const int written = opus_decode(decoder(), nullptr, 0, out, static_cast<int>(samples), 0);
  return written > 0 ? static_cast<std::size_t>(written) : 0;
}

}  // namespace cochlea
