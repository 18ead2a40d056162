#include "resolve.h"

#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <stdexcept>

namespace cochlea {
namespace {

bool accepts(const addrinfo& found) {
  const int fd = socket(found.ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) return false;
  bool accepted = connect(fd, found.ai_addr, found.ai_addrlen) == 0;
  if (!accepted && errno == EINPROGRESS) {
    pollfd waited = {fd, POLLOUT, 0};
    int error = 0;
    socklen_t size = sizeof error;
    accepted = poll(&waited, 1, 1000) == 1 && getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0;
  }
  close(fd);
  return accepted;
}

}  // namespace

bool Address::loopback4() const {
  if (storage.ss_family != AF_INET) return false;
  const auto& address = reinterpret_cast<const sockaddr_in&>(storage);
  return ntohl(address.sin_addr.s_addr) >> 24 == 127;
}

std::string connectError(int error) {
  switch (error) {
    case ECONNREFUSED:
      return "connect_refused";
    case ETIMEDOUT:
      return "connect_timeout";
    case EADDRNOTAVAIL:
      return "connect_no_port";
    case EMFILE:
    case ENFILE:
      return "connect_no_descriptor";
    case ENETUNREACH:
    case EHOSTUNREACH:
      return "connect_unreachable";
    case ECONNRESET:
      return "reset";
    default:
      return "connect_errno_" + std::to_string(error);
  }
}

Address resolve(const std::string& host, const std::string& port) {
  addrinfo hints = {};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* list = nullptr;
  const int error = getaddrinfo(host.c_str(), port.c_str(), &hints, &list);
  if (error != 0) throw std::runtime_error(host + ": " + gai_strerror(error));
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owner(list, freeaddrinfo);
  const addrinfo* chosen = list;
  if (list->ai_next != nullptr) {
    // A name may have an IPv4 and an IPv6 address, but the server may listen on only one of them. So this
    // loop tries each address.
    for (const addrinfo* each = list; each != nullptr; each = each->ai_next) {
      if (!accepts(*each)) continue;
      chosen = each;
      break;
    }
  }
  Address address = {};
  std::memcpy(&address.storage, chosen->ai_addr, chosen->ai_addrlen);
  address.length = chosen->ai_addrlen;
  return address;
}

}  // namespace cochlea
