#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "framing.h"
#include "random.h"

namespace cochlea {

/// Messages in wire format. They are masked once, not for every send. A mask protects proxies from scripts of web
/// pages; a server unmasks every key the same way.
class Frames {
 public:
  struct Frame {
    const std::uint8_t* bytes;
    std::uint32_t length;
    /// Bytes of the unframed message.
    std::uint32_t payload;
  };

  void add(Opcode opcode, const std::uint8_t* payload, std::size_t length, Random& random);

  std::size_t count() const { return places_.size(); }

  /// Borrowed until the next `add`.
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

/// The packets of a file (each after its length, 32 bit, little-endian) as binary messages.
/// @throws std::runtime_error when the file is unreadable or malformed.
Frames loadPackets(const std::string& path, Random& random);

}  // namespace cochlea
