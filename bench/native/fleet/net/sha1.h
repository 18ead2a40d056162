#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace cochlea {

/// Returns the SHA-1 hash (RFC 3174), which the WebSocket handshake needs.
std::array<std::uint8_t, 20> sha1(std::string_view bytes);

/// Returns base64 with padding (RFC 4648, section 4).
std::string base64(const std::uint8_t* bytes, std::size_t length);

}  // namespace cochlea
