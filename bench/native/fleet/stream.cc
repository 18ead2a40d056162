#include "stream.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>

#include "handshake.h"

namespace cochlea {
namespace {

enum Purpose : std::uint64_t { kPosition, kOddness, kFaults };

/// ns after which a connect or an upgrade counts as failed.
constexpr std::int64_t kConnectLimit = 10 * kSecond;
/// ns to wait for the answer to a close frame. Then this client ends the connection.
constexpr std::int64_t kCloseLimit = kSecond;
/// If a connection lasts this many ns, its stream's count of failures is reset.
constexpr std::int64_t kLasting = 5 * kSecond;
constexpr double kFirstPauseMs = 250;
constexpr double kLongestPauseMs = 5000;
/// ns between two packets of a misbehaving stream that pauses for long.
constexpr std::int64_t kSilentPeriod = 5 * kSecond;
constexpr char kCongestion[] = "reno";
/// Size in bytes of a slow reader's receive buffer in the kernel.
constexpr int kSlowBuffer = 4096;

}  // namespace

Stream::Stream(Shared& shared, std::uint32_t index, std::size_t kind, double phase)
    : shared_(shared), index_(index), kind_(static_cast<std::uint32_t>(kind)), phase_(phase) {
  const std::uint64_t seed = shared.options.seed;
  position_ = static_cast<std::uint32_t>(Random::of(seed, index, kPosition).next() % packets().count());
  faults_ = Random::of(seed, index, kFaults);
  abortNext_ = index % 2 == 1;
  Random oddness = Random::of(seed, index, kOddness);
  if (oddness.uniform() < shared.options.oddShare) {
    constexpr Odd kKinds[] = {Odd::kMalformed, Odd::kText, Odd::kSilent, Odd::kSlow};
    odd_ = kKinds[oddness.next() % 4];
  }
  period_ = odd_ == Odd::kSilent ? kSilentPeriod : this->kind().frameNs;
}

Stream::~Stream() { drop(); }

void Stream::setState(State state) {
  if (state == state_) return;
  if (state_ == State::kOpen) --shared_.open;
  if (state == State::kOpen) ++shared_.open;
  state_ = state;
}

void Stream::open(std::int64_t now) {
  drop();
  opened_ = false;
  failures_ = 0;
  connectNow(now);
}

void Stream::leave(std::uint16_t code, std::int64_t now) {
  if (state_ == State::kOpen) {
    close(code, kNever, now);
  } else if (state_ == State::kClosing) {
    returnsAt_ = kNever;
  } else {
    drop();
  }
}

void Stream::drop() {
  closeSocket(false);
  shared_.wheel.disarm(*this);
  setState(State::kIdle);
}

void Stream::connectNow(std::int64_t now) {
  const Options& options = shared_.options;
  connectBegan_ = now;
  setState(State::kConnecting);
  fd_ = socket(shared_.address.storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd_ < 0) return fail(connectError(errno), now);
  const int on = 1;
  setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  // Selects a congestion control without pacing. With pacing (BBR), the kernel would delay packets and need a
  // timer for each.
  setsockopt(fd_, IPPROTO_TCP, TCP_CONGESTION, kCongestion, sizeof kCongestion - 1);
  if (odd_ == Odd::kSlow) setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &kSlowBuffer, sizeof kSlowBuffer);
  const std::uint32_t source = index_ / options.streamsPerAddress;
  if (source > 0 && shared_.address.loopback4()) {
    sockaddr_in from = {};
    from.sin_family = AF_INET;
    from.sin_addr.s_addr = htonl((127u << 24) + 1 + source);
    // connect() then chooses the port. So it can choose a port that is in use for another destination.
    setsockopt(fd_, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
    if (bind(fd_, reinterpret_cast<const sockaddr*>(&from), sizeof from) != 0) return fail(connectError(errno), now);
  }
  const auto* address = reinterpret_cast<const sockaddr*>(&shared_.address.storage);
  if (connect(fd_, address, shared_.address.length) != 0 && errno != EINPROGRESS) {
    return fail(connectError(errno), now);
  }
  epoll_event event = {};
  event.events = EPOLLOUT;
  event.data.ptr = this;
  epoll_ctl(shared_.epoll, EPOLL_CTL_ADD, fd_, &event);
  watchesOut_ = true;
  watchesIn_ = false;
  shared_.wheel.arm(*this, now + kConnectLimit);
}

void Stream::watch() {
  const bool in = odd_ != Odd::kSlow || state_ != State::kOpen;
  const bool out = outboxAt_ < outbox_.size() || blocked_;
  if (in == watchesIn_ && out == watchesOut_) return;
  epoll_event event = {};
  event.events = (in ? EPOLLIN : 0u) | (out ? EPOLLOUT : 0u);
  event.data.ptr = this;
  epoll_ctl(shared_.epoll, EPOLL_CTL_MOD, fd_, &event);
  watchesIn_ = in;
  watchesOut_ = out;
}

std::string Stream::request() {
  const Options& options = shared_.options;
  key_ = webSocketKey(shared_.random);
  const bool bracketed = options.host.find(':') != std::string::npos;
  std::string text = "GET " + options.base + "/v4/listen?" + kind().query + (kind().query.empty() ? "" : "&") +
                     "uid=" + options.uidPrefix + std::to_string(index_) + " HTTP/1.1\r\nHost: ";
  text += bracketed ? "[" + options.host + "]" : options.host;
  text += ":" + options.port + "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: " + key_ +
          "\r\nSec-WebSocket-Version: 13\r\n";
  for (const std::string& header : options.headers) text += header + "\r\n";
  return text + "\r\n";
}

void Stream::onConnected(std::int64_t now) {
  int error = 0;
  socklen_t size = sizeof error;
  getsockopt(fd_, SOL_SOCKET, SO_ERROR, &error, &size);
  if (error != 0) return fail(connectError(error), now);
  setState(State::kUpgrading);
  const std::string text = request();
  outbox_.assign(text.begin(), text.end());
  outboxAt_ = 0;
  drain(now);
}

void Stream::onUpgradeBytes(std::int64_t now) {
  const std::string_view bytes(reinterpret_cast<const char*>(inbox_.data()), inbox_.size());
  const std::size_t end = bytes.substr(0, kLongestHead).find("\r\n\r\n");
  if (end == std::string_view::npos) {
    if (bytes.size() >= kLongestHead) fail("upgrade_malformed", now);
    return;
  }
  const std::string error = upgradeError(bytes.substr(0, end + 4), key_);
  if (!error.empty()) return fail(error, now);
  inbox_.erase(inbox_.begin(), inbox_.begin() + static_cast<std::ptrdiff_t>(end) + 4);
  begin(now);
}

void Stream::begin(std::int64_t now) {
  const Options& options = shared_.options;
  setState(State::kOpen);
  ++shared_.counters.connects;
  if (opened_) ++shared_.counters.reconnects;
  shared_.counters.connectTime.record(now - connectBegan_);
  timeHolds_ = !opened_ && odd_ == Odd::kNone;
  opened_ = true;
  openedAt_ = now;
  latestEnd_ = -1;
  // All packets of this stream are due at the same phase of the packet interval. The first packet is due at
  // the next time with this phase.
  const auto phase = static_cast<std::int64_t>(phase_ * static_cast<double>(period_));
  start_ = now + (period_ - (now - phase) % period_) % period_;
  frame_ = 0;
  network_.begin(options.network, Random(faults_.next()), start_);
  due_ = options.network.delays() ? network_.leaves(options.network, start_) : start_;
  const auto later = [now](double ms) { return ms > 0 ? now + static_cast<std::int64_t>(ms * kMs) : kNever; };
  keepAliveAt_ = later(options.keepAliveMs);
  oddAt_ = odd_ == Odd::kNone || odd_ == Odd::kSilent ? kNever : now + kSecond;
  disconnectAt_ = later(options.network.disconnectEveryS > 0
                            ? std::max(1.0, faults_.exponential(options.network.disconnectEveryS * 1000))
                            : 0);
  eventAt_ = std::min({keepAliveAt_, oddAt_, disconnectAt_});
  watch();
  schedule(now);
}

void Stream::fail(const std::string& error, std::int64_t now) {
  // This client has begun to close, so any end of the connection is expected and not an error.
  if (state_ == State::kClosing) return finish(now);
  ++shared_.counters.errors[error];
  closeSocket(false);
  retry(now);
}

/// Reconnects later. The delay grows with each failure in a row.
void Stream::retry(std::int64_t now) {
  if (state_ == State::kOpen && now - openedAt_ > kLasting) failures_ = 0;
  const double pause = std::min(kLongestPauseMs, kFirstPauseMs * std::exp2(std::min(failures_, 10u)));
  ++failures_;
  setState(State::kWaiting);
  shared_.wheel.arm(*this, now + static_cast<std::int64_t>(pause * (0.5 + 0.5 * faults_.uniform()) * kMs));
}

/// Simulates a lost network. Every second disconnect happens without a close frame.
void Stream::disconnect(std::int64_t now) {
  const std::int64_t returns = now + static_cast<std::int64_t>(shared_.options.network.reconnectMs * kMs);
  abortNext_ = !abortNext_;
  if (abortNext_) return close(1001, returns, now);
  closeSocket(true);
  setState(State::kWaiting);
  shared_.wheel.arm(*this, returns);
}

void Stream::close(std::uint16_t code, std::int64_t returns, std::int64_t now) {
  const std::uint8_t payload[2] = {static_cast<std::uint8_t>(code >> 8), static_cast<std::uint8_t>(code)};
  returnsAt_ = returns;
  setState(State::kClosing);
  sendControl(Opcode::kClose, payload, sizeof payload);
  if (sendError_ != 0) return finish(now);
  watch();
  shared_.wheel.arm(*this, now + kCloseLimit);
}

/// Completes the close that this client began.
void Stream::finish(std::int64_t now) {
  closeSocket(false);
  if (returnsAt_ == kNever) {
    shared_.wheel.disarm(*this);
    return setState(State::kIdle);
  }
  setState(State::kWaiting);
  shared_.wheel.arm(*this, std::max(now, returnsAt_));
}

void Stream::closeSocket(bool abortive) {
  if (fd_ >= 0) {
    if (abortive) {
      const linger none = {1, 0};
      setsockopt(fd_, SOL_SOCKET, SO_LINGER, &none, sizeof none);
    }
    ::close(fd_);
  }
  fd_ = -1;
  blocked_ = false;
  pendingLength_ = 0;
  sendError_ = 0;
  outboxAt_ = 0;
  outbox_.clear();
  inbox_.clear();
  message_.clear();
  inMessage_ = false;
}

void Stream::onTimer(std::int64_t now) {
  switch (state_) {
    case State::kOpen:
      if (now >= eventAt_) onEvent(now);
      if (state_ == State::kOpen) sendDue(now);
      return;
    case State::kWaiting:
      return connectNow(now);
    case State::kConnecting:
      return fail("connect_timeout", now);
    case State::kUpgrading:
      return fail("upgrade_timeout", now);
    case State::kClosing:
      return finish(now);
    case State::kIdle:
      return;
  }
}

void Stream::onEvents(std::uint32_t events, std::int64_t now) {
  if (fd_ < 0) return;
  if (state_ == State::kConnecting) return onConnected(now);
  if ((events & (EPOLLERR | EPOLLHUP)) != 0) {
    while (receive(now)) continue;
    if (fd_ >= 0) fail("reset", now);
    return;
  }
  if ((events & EPOLLIN) != 0) receive(now);
  if ((events & EPOLLOUT) != 0 && fd_ >= 0) drain(now);
}

}  // namespace cochlea
