#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "framing.h"
#include "random.h"

namespace cochlea {

/// Messages as WebSocket frames. Each message is masked only once, instead of before every send. A server
/// does the same work for every mask.
class Frames {
 public:
  struct Frame {
    const std::uint8_t* bytes;
    std::uint32_t length;
    /// Length of the message in bytes, without its frame head.
    std::uint32_t payload;
  };

  void add(Opcode opcode, const std::uint8_t* payload, std::size_t length, Random& random);

  std::size_t count() const { return places_.size(); }

  /// Returns a frame. Its bytes are valid until the next `add`.
  Frame operator[](std::size_t index) const {
    const Place& place = places_[index];
    return {bytes_.data() + place.offset, place.length, place.payload};
  }

 private:
  struct Place {
    std::size_t offset;
    std::uint32_t length;
    std::uint32_t payload;
  };

  std::vector<std::uint8_t> bytes_;
  std::vector<Place> places_;
};

/// Reads a file of packets, in which each packet follows its length (32 bit, little-endian). Returns the
/// packets as binary messages. @throws std::runtime_error when the file is unreadable or malformed.
Frames loadPackets(const std::string& path, Random& random);

}  // namespace cochlea
