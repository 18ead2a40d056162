// The null server: it accepts upgrades of /v4/listen, reads frames and counts them, but sends nothing. So it
// does not limit the generator under test.
//
//   null-server [PORT]      default 0: any free port
//
// Prints {"event":"listening","port":N} and ends when its input ends. GET /metrics on the same port returns a
// Prometheus page.
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "descriptors.h"
#include "framing.h"
#include "handshake.h"

namespace cochlea {
namespace {

constexpr int kEvents = 4096;

struct Connection {
  bool upgraded = false;
  /// Bytes of an incomplete request or frame head that have arrived.
  std::string begun;
  /// Number of payload bytes of the current frame that have not arrived.
  std::uint64_t rest = 0;
};

class NullServer {
 public:
  /// Listens on loopback. @returns whether it succeeded.
  bool listenOn(std::uint16_t port);

  void run();

 private:
  void acceptAll();
  void read(int fd);
  bool onRequest(int fd, Connection& connection);
  bool onFrames(int fd, Connection& connection, const std::uint8_t* bytes, std::size_t length);
  bool onHead(int fd, Connection& connection, const FrameHead& head);
  void end(int fd);
  std::string page() const;

  int listener_ = -1;
  int epoll_ = -1;
  /// Connections by descriptor.
  std::vector<std::unique_ptr<Connection>> connections_;
  std::vector<std::uint8_t> buffer_ = std::vector<std::uint8_t>(65536);
  std::uint64_t streams_ = 0;
  std::uint64_t upgrades_ = 0;
  std::uint64_t frames_ = 0;
  std::uint64_t keepAlives_ = 0;
  std::uint64_t texts_ = 0;
  std::uint64_t bytes_ = 0;
};

bool NullServer::listenOn(std::uint16_t port) {
  raiseDescriptors();
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  epoll_ = epoll_create1(EPOLL_CLOEXEC);
  const int on = 1;
  setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  socklen_t size = sizeof address;
  if (bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 || listen(listener_, 4096) != 0) return false;
  getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
  for (const int fd : {listener_, STDIN_FILENO}) {
    epoll_event event = {};
    event.events = EPOLLIN;
    event.data.fd = fd;
    if (epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &event) != 0) return false;
  }
  std::printf("{\"event\":\"listening\",\"port\":%u}\n", unsigned{ntohs(address.sin_port)});
  std::fflush(stdout);
  return true;
}

void NullServer::run() {
  static epoll_event events[kEvents];
  constexpr timespec kNap = {0, 500'000};
  for (;;) {
    // A sleep before every poll makes one wake-up handle many packets. Without it, the sender's core would
    // spend time on waking this process.
    clock_nanosleep(CLOCK_MONOTONIC, 0, &kNap, nullptr);
    const int count = epoll_wait(epoll_, events, kEvents, -1);
    for (int i = 0; i < count; ++i) {
      const int fd = events[i].data.fd;
      if (fd == STDIN_FILENO) {
        if (::read(fd, buffer_.data(), buffer_.size()) <= 0) return;
      } else if (fd == listener_) {
        acceptAll();
      } else {
        read(fd);
      }
    }
  }
}

void NullServer::acceptAll() {
  for (;;) {
    const int fd = accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) return;
    if (connections_.size() <= static_cast<std::size_t>(fd)) connections_.resize(static_cast<std::size_t>(fd) + 1);
    connections_[static_cast<std::size_t>(fd)] = std::make_unique<Connection>();
    epoll_event event = {};
    event.events = EPOLLIN;
    event.data.fd = fd;
    epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &event);
  }
}

void NullServer::end(int fd) {
  std::unique_ptr<Connection>& connection = connections_[static_cast<std::size_t>(fd)];
  if (connection && connection->upgraded) --streams_;
  connection.reset();
  close(fd);
}

void NullServer::read(int fd) {
  Connection* const connection = connections_[static_cast<std::size_t>(fd)].get();
  if (connection == nullptr) return;
  const ssize_t got = recv(fd, buffer_.data(), buffer_.size(), 0);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got <= 0) return end(fd);
  const auto length = static_cast<std::size_t>(got);
  if (!connection->upgraded) {
    connection->begun.append(reinterpret_cast<const char*>(buffer_.data()), length);
    if (!onRequest(fd, *connection)) end(fd);
  } else if (!onFrames(fd, *connection, buffer_.data(), length)) {
    end(fd);
  }
}

/// Handles an arriving request. @returns false when the connection must end.
bool NullServer::onRequest(int fd, Connection& connection) {
  const std::size_t head = connection.begun.find("\r\n\r\n");
  if (head == std::string::npos) return connection.begun.size() < kLongestHead;
  const std::string request = connection.begun.substr(0, head + 4);
  const auto answer = [fd](const std::string& text) {
    return send(fd, text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size());
  };
  if (request.rfind("GET /metrics ", 0) == 0) {
    const std::string body = page();
    answer("HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4\r\nConnection: close\r\nContent-Length: " +
           std::to_string(body.size()) + "\r\n\r\n" + body);
    return false;
  }
  const std::optional<std::string_view> key = headerOf(request, "sec-websocket-key");
  if (request.rfind("GET /v4/listen?", 0) != 0 || !key) {
    answer("HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
    return false;
  }
  connection.upgraded = true;
  ++streams_;
  ++upgrades_;
  connection.begun.erase(0, head + 4);
  std::string behind;
  behind.swap(connection.begun);
  return answer(
             "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: " +
             webSocketAccept(*key) + "\r\n\r\n") &&
         onFrames(fd, connection, reinterpret_cast<const std::uint8_t*>(behind.data()), behind.size());
}

/// Handles arriving frames. @returns false when the connection must end.
bool NullServer::onFrames(int fd, Connection& connection, const std::uint8_t* bytes, std::size_t length) {
  bytes_ += length;
  FrameHead head;
  while (length > 0) {
    if (connection.rest > 0) {
      const std::size_t skipped = connection.rest < length ? static_cast<std::size_t>(connection.rest) : length;
      connection.rest -= skipped;
      bytes += skipped;
      length -= skipped;
      continue;
    }
    if (!connection.begun.empty()) {
      // A head contains its own length, so this branch reads it byte by byte. The branch is rarely taken.
      connection.begun += static_cast<char>(*bytes++);
      --length;
      if (!readHead(reinterpret_cast<const std::uint8_t*>(connection.begun.data()), connection.begun.size(), head)) {
        continue;
      }
      connection.begun.clear();
    } else if (readHead(bytes, length, head)) {
      bytes += head.size;
      length -= head.size;
    } else {
      connection.begun.assign(reinterpret_cast<const char*>(bytes), length);
      return true;
    }
    if (!onHead(fd, connection, head)) return false;
  }
  return true;
}

bool NullServer::onHead(int fd, Connection& connection, const FrameHead& head) {
  if (head.opcode == Opcode::kClose) {
    static constexpr std::uint8_t kClosing[] = {0x88, 2, 1000 >> 8, 1000 & 255};
    send(fd, kClosing, sizeof kClosing, MSG_NOSIGNAL);
    return false;
  }
  connection.rest = head.length;
  if (head.opcode == Opcode::kText) ++texts_;
  if (head.opcode == Opcode::kBinary) ++(head.length > 2 ? frames_ : keepAlives_);
  return true;
}

std::string NullServer::page() const {
  std::string text;
  const auto add = [&text](const char* name, const char* type, std::uint64_t value) {
    text += std::string("# TYPE null_server_") + name + " " + type + "\nnull_server_" + name + " " +
            std::to_string(value) + "\n";
  };
  add("streams", "gauge", streams_);
  add("upgrades_total", "counter", upgrades_);
  add("frames_received_total", "counter", frames_);
  add("keep_alives_received_total", "counter", keepAlives_);
  add("texts_received_total", "counter", texts_);
  add("bytes_received_total", "counter", bytes_);
  return text;
}

}  // namespace
}  // namespace cochlea

int main(int count, char** words) {
  cochlea::NullServer server;
  const long port = count > 1 ? std::strtol(words[1], nullptr, 10) : 0;
  if (count > 2 || port < 0 || port > 65535 || !server.listenOn(static_cast<std::uint16_t>(port))) {
    std::fprintf(stderr, "null-server: cannot listen: %s\n", std::strerror(errno));
    return 2;
  }
  server.run();
  return 0;
}
