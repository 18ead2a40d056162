#pragma once

#include <sys/socket.h>

#include <string>

namespace cochlea {

struct Address {
  sockaddr_storage storage;
  socklen_t length;

  /// Whether it is in the IPv4 loopback network, which has many source addresses.
  bool loopback4() const;
};

/// Kind of error that counts a failed connect: `connect_refused`, `connect_no_port`, ...
std::string connectError(int error);

/// Resolves a host. Takes the first address that accepts a connection within a second, else the first one.
/// @throws std::runtime_error when the name is unknown.
Address resolve(const std::string& host, const std::string& port);

}  // namespace cochlea
