#include "handshake.h"

#include <strings.h>

#include "sha1.h"

namespace cochlea {
namespace {

bool same(std::string_view a, std::string_view b) {
  return a.size() == b.size() && strncasecmp(a.data(), b.data(), a.size()) == 0;
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

}  // namespace

std::string webSocketKey(Random& random) {
  std::uint8_t bytes[16];
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.next());
  return base64(bytes, sizeof bytes);
}

std::string webSocketAccept(std::string_view key) {
  const auto digest = sha1(std::string(key) + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11");
  return base64(digest.data(), digest.size());
}

std::optional<std::string_view> headerOf(std::string_view head, std::string_view name) {
  std::size_t at = head.find("\r\n");
  while (at != std::string_view::npos) {
    head.remove_prefix(at + 2);
    at = head.find("\r\n");
    const std::string_view line = head.substr(0, at);
    const std::size_t colon = line.find(':');
    if (colon != std::string_view::npos && same(line.substr(0, colon), name)) return trim(line.substr(colon + 1));
  }
  return std::nullopt;
}

bool holdsToken(std::string_view value, std::string_view token) {
  for (;;) {
    const std::size_t comma = value.find(',');
    if (same(trim(value.substr(0, comma)), token)) return true;
    if (comma == std::string_view::npos) return false;
    value.remove_prefix(comma + 1);
  }
}

std::string upgradeError(std::string_view head, std::string_view key) {
  const auto digit = [&head](std::size_t at) { return head[at] >= '0' && head[at] <= '9'; };
  if (head.size() < 12 || head.substr(0, 7) != "HTTP/1." || head[8] != ' ' || !digit(9) || !digit(10) || !digit(11)) {
    return "upgrade_malformed";
  }
  const std::string_view status = head.substr(9, 3);
  if (status != "101") return "http_" + std::string(status);
  if (!holdsToken(headerOf(head, "upgrade").value_or(""), "websocket") ||
      !holdsToken(headerOf(head, "connection").value_or(""), "upgrade") || headerOf(head, "sec-websocket-extensions")) {
    return "upgrade_malformed";
  }
  return headerOf(head, "sec-websocket-accept").value_or("") == webSocketAccept(key) ? "" : "accept_mismatch";
}

}  // namespace cochlea
