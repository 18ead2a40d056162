#pragma once

#include <charconv>
#include <cstdio>
#include <string>
#include <string_view>

namespace cochlea {

template <typename Number>
void appendNumber(std::string& json, Number value) {
  char digits[40];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  json.append(digits, end);
}

/// Appends a quoted string.
inline void appendString(std::string& json, std::string_view text) {
  json += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      json += '\\';
      json += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      json += escape;
    } else {
      json += c;
    }
  }
  json += '"';
}

}  // namespace cochlea
