#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cochlea {

/// Opcodes of WebSocket frames. Source: RFC 6455, section 5.2.
enum class Opcode : std::uint8_t { kContinuation = 0, kText = 1, kBinary = 2, kClose = 8, kPing = 9, kPong = 10 };

inline bool isControl(Opcode opcode) { return (static_cast<std::uint8_t>(opcode) & 8) != 0; }

/// Appends the frame of a client to `out`. The frame is a complete message, masked with `mask`.
void appendFrame(std::vector<std::uint8_t>& out, Opcode opcode, const std::uint8_t* payload, std::size_t length,
                 std::uint32_t mask);

/// The head of a frame: all bytes before the payload.
struct FrameHead {
  Opcode opcode;
  bool final;
  /// Whether one of the three reserved bits is set. Only extensions may set them.
  bool reserved;
  bool masked;
  std::uint64_t length;
  /// Length in bytes of the head, including the mask.
  std::size_t size;
};

/// Reads a head. @returns false while the head is incomplete.
bool readHead(const std::uint8_t* bytes, std::size_t available, FrameHead& head);

/// Maximum length in bytes of a message that this client accepts.
constexpr std::size_t kLongestMessage = std::size_t{1} << 20;

}  // namespace cochlea
