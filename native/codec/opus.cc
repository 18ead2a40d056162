#include "codec/opus.h"

#include <opus.h>

#include <algorithm>

namespace cochlea {
namespace {

constexpr opus_int32 kRate = 16000;
// Maximum number of bytes of a packet. Every legal packet (48 frames of 1,275 bytes) is smaller, and the
// number fits into opus_int32.
constexpr std::size_t kMaxPacket = 1 << 20;
/// Maximum number of samples that are concealed in one call: 20 ms.
constexpr std::size_t kConcealStep = 320;
/// Number of samples in a step of libopus's concealment: 2.5 ms.
constexpr std::size_t kConcealUnit = 40;

/// Returns whether the first frame of a packet contains a copy of the previous frame. A SILK frame begins
/// with one voice-activity bit for each 20 ms, then one bit for such a copy. The same bits follow for the
/// second channel (RFC 6716, 4.2.3 and 4.2.4).
bool hasRedundancy(const std::uint8_t* packet, std::size_t length) {
  // The highest bit of the first byte marks CELT frames, which never contain such a copy.
  if ((packet[0] & 0x80) != 0) return false;
  const unsigned char* frames[48];
  opus_int16 sizes[48];
  unsigned char toc;
  const int count = opus_packet_parse(packet, static_cast<opus_int32>(length), &toc, frames, sizes, nullptr);
  if (count < 1 || sizes[0] < 2) return false;
  const auto samples = static_cast<unsigned>(opus_packet_get_samples_per_frame(packet, kRate));
  const unsigned blocks = std::max(1u, samples / 320);
  const bool stereo = opus_packet_get_nb_channels(packet) == 2;
  const unsigned first = frames[0][0];
  const bool mid = (first >> (7 - blocks) & 1) != 0;
  return mid || (stereo && (first >> (6 - 2 * blocks) & 1) != 0);
}

/// Returns the memory of a new decoder; empty if libopus reports an error. The memory contains no addresses
/// within itself, so a copy of it is another decoder (opus.h: one block that can be copied).
///
/// A copy costs a tenth of an initialization. The initialization queries the features of the processor
/// several times. Under a hypervisor each query leaves the virtual machine.
const std::vector<std::uint64_t>& freshDecoder() {
  static const std::vector<std::uint64_t> fresh = [] {
    std::vector<std::uint64_t> memory((static_cast<std::size_t>(opus_decoder_get_size(1)) + 7) / 8);
    if (opus_decoder_init(reinterpret_cast<OpusDecoder*>(memory.data()), kRate, 1) != OPUS_OK) memory.clear();
    return memory;
  }();
  return fresh;
}

}  // namespace

const char* OpusStream::version() { return opus_get_version_string(); }

std::size_t OpusStream::packetSamples(const std::uint8_t* packet, std::size_t length) {
  // An empty message is refused. libopus would treat an empty packet as a loss and conceal it.
  if (length == 0 || length > kMaxPacket) return 0;
  const int samples = opus_packet_get_nb_samples(packet, static_cast<opus_int32>(length), kRate);
  return samples > 0 && static_cast<std::size_t>(samples) <= kMaxPacketSamples
             ? static_cast<std::size_t>(samples)
             : 0;
}

bool OpusStream::init() {
  memory_ = freshDecoder();
  return !memory_.empty();
}

OpusDecoder* OpusStream::decoder() {
  if (memory_.empty()) memory_ = freshDecoder();
  return reinterpret_cast<OpusDecoder*>(memory_.data());
}

std::uint32_t OpusStream::rate() const { return kRate; }

std::size_t OpusStream::duration(const std::uint8_t* packet, std::size_t length) const {
  return packetSamples(packet, length);
}

FrameDecoder::Result OpusStream::decode(const std::uint8_t* packet, std::size_t length, std::int16_t* out) {
  if (length == 0 || length > kMaxPacket) return {0, false};
  const int samples =
      opus_decode(decoder(), packet, static_cast<opus_int32>(length), out, kMaxPacketSamples, 0);
  return {static_cast<std::size_t>(std::max(samples, 0)), samples > 0};
}

std::size_t OpusStream::conceal(std::int16_t* out, std::size_t samples) {
  const std::size_t step = std::min(samples, kConcealStep) / kConcealUnit * kConcealUnit;
  if (step == 0) return 0;
  const int written = opus_decode(decoder(), nullptr, 0, out, static_cast<int>(step), 0);
  return static_cast<std::size_t>(std::max(written, 0));
}

std::size_t OpusStream::restorable(const std::uint8_t* packet, std::size_t length) const {
  if (packetSamples(packet, length) == 0 || !hasRedundancy(packet, length)) return 0;
  return static_cast<std::size_t>(opus_packet_get_samples_per_frame(packet, kRate));
}

std::size_t OpusStream::restore(const std::uint8_t* packet, std::size_t length, std::int16_t* out,
                                std::size_t samples) {
  const int written =
      opus_decode(decoder(), packet, static_cast<opus_int32>(length), out, static_cast<int>(samples), 1);
  return static_cast<std::size_t>(std::max(written, 0));
}

}  // namespace cochlea
