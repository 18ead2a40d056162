#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "random.h"

namespace cochlea {

/// A fresh `Sec-WebSocket-Key`.
std::string webSocketKey(Random& random);

/// The `Sec-WebSocket-Accept` that answers a key.
std::string webSocketAccept(std::string_view key);

/// The value of a header of a request's or an answer's head, trimmed; nothing when it is not there.
std::optional<std::string_view> headerOf(std::string_view head, std::string_view name);

/// Whether a comma-separated header holds a word, whatever its case.
bool holdsToken(std::string_view value, std::string_view token);

/// What is wrong with the answer to an upgrade, as a kind of error (`http_503`, `upgrade_malformed`,
/// `accept_mismatch`); empty when it is accepted.
/// @param head the answer up to and with the empty line.
std::string upgradeError(std::string_view head, std::string_view key);

/// Bytes of the longest head of an answer that is read.
constexpr std::size_t kLongestHead = 8192;

}  // namespace cochlea
