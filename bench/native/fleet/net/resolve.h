#pragma once

#include <sys/socket.h>

#include <string>

namespace cochlea {

struct Address {
  sockaddr_storage storage;
  socklen_t length;

  /// Whether the address is in the IPv4 loopback network. Streams to such an address can use many source addresses.
  bool loopback4() const;
};

/// Returns the kind of error that counts a failed connect: `connect_refused`, `connect_no_port`, ...
std::string connectError(int error);

/// Resolves a host. Returns the first address that accepts a connection within a second, else the
/// first address. @throws std::runtime_error when the name is unknown.
Address resolve(const std::string& host, const std::string& port);

}  // namespace cochlea
