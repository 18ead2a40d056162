#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "random.h"

namespace cochlea {

/// Returns a new random `Sec-WebSocket-Key`.
std::string webSocketKey(Random& random);

/// Returns the `Sec-WebSocket-Accept` value for a key.
std::string webSocketAccept(std::string_view key);

/// Returns the trimmed value of a header, from the head of a request or response; nothing if the header is
/// missing.
std::optional<std::string_view> headerOf(std::string_view head, std::string_view name);

/// Returns whether a comma-separated header value contains a token. Case does not matter.
bool holdsToken(std::string_view value, std::string_view token);

/// Checks the answer to an upgrade. @returns the kind of error (`http_503`, `upgrade_malformed`, `accept_mismatch`);
/// empty if the upgrade is accepted. @param head the answer up to and including the empty line.
std::string upgradeError(std::string_view head, std::string_view key);

/// Maximum length in bytes of a response head.
constexpr std::size_t kLongestHead = 8192;

}  // namespace cochlea
