#pragma once

#include <sys/socket.h>

#include <string>

namespace cochlea {

struct Address {
  sockaddr_storage storage;
  socklen_t length;

  /// Of the IPv4 loopback network, which has more than one address to leave from.
  bool loopback4() const;
};

/// The kind of error that a failed connect is counted as: `connect_refused`, `connect_no_port`, ...
std::string connectError(int error);

/// Finds a host's address; of several the first that accepts a connection within a second, else the first.
/// @throws std::runtime_error when the name is unknown.
Address resolve(const std::string& host, const std::string& port);

}  // namespace cochlea
