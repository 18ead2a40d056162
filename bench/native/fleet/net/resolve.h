#pragma once

#include <sys/socket.h>

#include <string>

namespace cochlea {

struct Address {
  sockaddr_storage storage;
  socklen_t length;

  /// Whether the address is in the IPv4 loopback network. Streams to such an address may have many different
  /// source addresses.
  bool loopback4() const;
};

/// Returns the name under which a failed connect is counted: `connect_refused`, `connect_no_port`, ...
std::string connectError(int error);

/// Resolves a host. Returns the first address that accepts a connection within a second, otherwise the first
/// address of the host. @throws std::runtime_error when the name is unknown.
Address resolve(const std::string& host, const std::string& port);

}  // namespace cochlea
