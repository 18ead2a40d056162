#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "random.h"

namespace cochlea {

/// A new random `Sec-WebSocket-Key`.
std::string webSocketKey(Random& random);

/// The `Sec-WebSocket-Accept` that answers a key.
std::string webSocketAccept(std::string_view key);

/// The trimmed value of a header in the head of a request or response; nothing if the header is missing.
std::optional<std::string_view> headerOf(std::string_view head, std::string_view name);

/// Whether a comma-separated header contains a token, ignoring case.
bool holdsToken(std::string_view value, std::string_view token);

/// Checks the answer to an upgrade. @returns the kind of error (`http_503`, `upgrade_malformed`, `accept_mismatch`);
/// empty if the upgrade is accepted. @param head the answer up to and including the empty line.
std::string upgradeError(std::string_view head, std::string_view key);

/// Bytes of the longest response head that is read.
constexpr std::size_t kLongestHead = 8192;

}  // namespace cochlea
