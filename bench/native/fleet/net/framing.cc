#include "framing.h"

namespace cochlea {

void appendFrame(std::vector<std::uint8_t>& out, Opcode opcode, const std::uint8_t* payload, std::size_t length,
                 std::uint32_t mask) {
  out.push_back(static_cast<std::uint8_t>(0x80 | static_cast<unsigned>(opcode)));
  if (length < 126) {
    out.push_back(static_cast<std::uint8_t>(0x80 | length));
  } else if (length < 65536) {
    out.push_back(0x80 | 126);
    out.push_back(static_cast<std::uint8_t>(length >> 8));
    out.push_back(static_cast<std::uint8_t>(length));
  } else {
    out.push_back(0x80 | 127);
    for (int shift = 56; shift >= 0; shift -= 8) {
      out.push_back(static_cast<std::uint8_t>(std::uint64_t{length} >> shift));
    }
  }
  const std::uint8_t key[4] = {static_cast<std::uint8_t>(mask >> 24), static_cast<std::uint8_t>(mask >> 16),
                               static_cast<std::uint8_t>(mask >> 8), static_cast<std::uint8_t>(mask)};
  out.insert(out.end(), key, key + 4);
  for (std::size_t i = 0; i < length; ++i) out.push_back(payload[i] ^ key[i % 4]);
}

bool readHead(const std::uint8_t* bytes, std::size_t available, FrameHead& head) {
  if (available < 2) return false;
  head.opcode = static_cast<Opcode>(bytes[0] & 15);
  head.final = (bytes[0] & 0x80) != 0;
  head.reserved = (bytes[0] & 0x70) != 0;
  head.masked = (bytes[1] & 0x80) != 0;
  const unsigned shortLength = bytes[1] & 0x7f;
  const std::size_t extra = shortLength == 126 ? 2 : shortLength == 127 ? 8 : 0;
  head.size = 2 + extra + (head.masked ? 4 : 0);
  if (available < head.size) return false;
  head.length = extra == 0 ? shortLength : 0;
  for (std::size_t i = 0; i < extra; ++i) head.length = head.length << 8 | bytes[2 + i];
  return true;
}

}  // namespace cochlea
