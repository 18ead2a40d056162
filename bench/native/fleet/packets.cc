#include "packets.h"

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace cochlea {

void Frames::add(Opcode opcode, const std::uint8_t* payload, std::size_t length, Random& random) {
  const std::size_t offset = bytes_.size();
  appendFrame(bytes_, opcode, payload, length, static_cast<std::uint32_t>(random.next()));
  places_.push_back({offset, static_cast<std::uint32_t>(bytes_.size() - offset), static_cast<std::uint32_t>(length)});
}

Frames loadPackets(const std::string& path, Random& random) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(path + " cannot be read");
  const std::vector<char> content((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(content.data());
  Frames frames;
  for (std::size_t at = 0; at < content.size();) {
    if (content.size() - at < 4) throw std::runtime_error(path + " ends inside a length");
    const std::size_t length =
        bytes[at] | bytes[at + 1] << 8 | bytes[at + 2] << 16 | std::uint32_t{bytes[at + 3]} << 24;
    at += 4;
    if (length > content.size() - at) throw std::runtime_error(path + " ends inside a packet");
    if (length > kLongestMessage) throw std::runtime_error(path + " holds a packet above 1 MiB");
    frames.add(Opcode::kBinary, bytes + at, length, random);
    at += length;
  }
  if (frames.count() == 0) throw std::runtime_error(path + " holds no packets");
  return frames;
}

}  // namespace cochlea
