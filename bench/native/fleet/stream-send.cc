#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

#include "stream.h"

namespace cochlea {
namespace {

/// Maximum number of packets that a late stream sends before other streams get their turn.
constexpr unsigned kBurst = 64;
/// Maximum number of bytes of pong frames that are queued while the socket is full.
constexpr std::size_t kOutboxLimit = 1024;
constexpr std::int64_t kOddPeriod = kSecond;

}  // namespace

/// Sends all packets that are due and sleeps until the next due time.
void Stream::sendDue(std::int64_t now) {
  if (blocked_) {
    dropStale(now);
    return schedule(now);
  }
  for (unsigned burst = 0; due_ <= now && burst < kBurst; ++burst) {
    if (!offerPacket()) break;
  }
  if (sendError_ != 0) return sendFailed(sendError_);
  schedule(now);
}

void Stream::schedule(std::int64_t now) {
  const std::int64_t sending =
      blocked_ ? due_ + static_cast<std::int64_t>(shared_.options.queueMs * kMs) : std::max(due_, now);
  shared_.wheel.arm(*this, std::min(sending, eventAt_));
}

/// Passes the due packet to the kernel. @returns whether the kernel accepted the complete packet.
bool Stream::offerPacket() {
  const Frames::Frame frame = packets()[position_];
  const std::int64_t due = due_;
  const bool taken = offer(frame);
  if (taken) {
    advance();
    packetTaken(due);
    shared_.counters.bytesSent += frame.payload;
  } else if (pendingLength_ > 0) {
    pendingPacket_ = true;
    pendingPayload_ = frame.payload;
    pendingDue_ = due;
    advance();
  }
  return taken;
}

/// Sends a message from shared memory. If the kernel accepts only a part, `pending_` then points to the
/// remaining bytes.
bool Stream::offer(const Frames::Frame& frame) {
  const ssize_t sent = send(fd_, frame.bytes, frame.length, MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent == static_cast<ssize_t>(frame.length)) return true;
  if (sent < 0 && errno != EAGAIN && errno != EINTR) {
    sendError_ = errno;
    return false;
  }
  if (sent > 0) {
    pending_ = frame.bytes + sent;
    pendingLength_ = frame.length - static_cast<std::uint32_t>(sent);
    pendingPacket_ = false;
  }
  block();
  return false;
}

void Stream::packetTaken(std::int64_t due) {
  Counters& counters = shared_.counters;
  ++counters.framesSent;
  counters.audioNs += kind().frameNs;
  shared_.now = clockNow();
  counters.lateness.record(shared_.now - due);
}

/// Moves to the next packet. Its due time depends only on the start of the stream, so lateness does not
/// accumulate.
void Stream::advance() {
  const NetworkOptions& network = shared_.options.network;
  position_ = position_ + 1 == packets().count() ? 0 : position_ + 1;
  ++frame_;
  due_ = start_ + static_cast<std::int64_t>(frame_) * period_;
  if (network.delays()) due_ = network_.leaves(network, due_);
}

void Stream::block() {
  blocked_ = true;
  watch();
}

/// Called when the socket accepts bytes again. Sends first the rest of the current message, then control
/// frames, then all queued packets.
void Stream::drain(std::int64_t now) {
  if (pendingLength_ > 0) {
    const ssize_t sent = send(fd_, pending_, pendingLength_, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno != EAGAIN && errno != EINTR) return sendFailed(errno);
    if (sent > 0) {
      pending_ += sent;
      pendingLength_ -= static_cast<std::uint32_t>(sent);
    }
    if (pendingLength_ > 0) return;
    if (pendingPacket_) {
      ++shared_.counters.framesBlocked;
      shared_.counters.bytesSent += pendingPayload_;
      packetTaken(pendingDue_);
    }
  }
  if (outboxAt_ < outbox_.size()) {
    const ssize_t sent = send(fd_, outbox_.data() + outboxAt_, outbox_.size() - outboxAt_, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno != EAGAIN && errno != EINTR) return sendFailed(errno);
    if (sent > 0) outboxAt_ += static_cast<std::size_t>(sent);
    if (outboxAt_ < outbox_.size()) return watch();
    outbox_.clear();
    outboxAt_ = 0;
  }
  const bool waited = blocked_;
  blocked_ = false;
  if (state_ == State::kOpen && waited) {
    dropStale(now);
    while (due_ <= now && offerPacket()) ++shared_.counters.framesBlocked;
    if (sendError_ != 0) return sendFailed(sendError_);
    schedule(now);
  }
  watch();
}

/// Drops packets that have waited longer than a wearable would buffer them.
void Stream::dropStale(std::int64_t now) {
  const auto limit = static_cast<std::int64_t>(shared_.options.queueMs * kMs);
  std::uint64_t lost = 0;
  for (; due_ + limit <= now; ++lost) advance();
  if (lost == 0) return;
  shared_.counters.errors["frames_lost"] += lost;
  timeHolds_ = false;
}

/// Handles due events of the stream other than packets: keep-alives, odd messages, disconnects.
void Stream::onEvent(std::int64_t now) {
  const auto offerOther = [this](const Frames::Frame& frame, std::uint64_t& counter) {
    if (blocked_) return;
    if (offer(frame) || pendingLength_ > 0) ++counter;
  };
  Counters& counters = shared_.counters;
  if (now >= disconnectAt_) return disconnect(now);
  if (now >= keepAliveAt_) {
    keepAliveAt_ += static_cast<std::int64_t>(shared_.options.keepAliveMs * kMs);
    offerOther(shared_.keepAlive[0], counters.keepAlivesSent);
  }
  if (now >= oddAt_) {
    oddAt_ += kOddPeriod;
    const Frames& messages = odd_ == Odd::kText ? shared_.text : shared_.malformed;
    if (odd_ == Odd::kSlow) {
      receive(now);
    } else {
      offerOther(messages[faults_.next() % messages.count()], counters.oddSent);
    }
  }
  if (state_ != State::kOpen) return;
  eventAt_ = std::min({keepAliveAt_, oddAt_, disconnectAt_});
  if (sendError_ != 0) sendFailed(sendError_);
}

/// Sends a control frame. If other bytes wait for the socket, the frame waits behind them.
void Stream::sendControl(Opcode opcode, const std::uint8_t* payload, std::size_t length) {
  if (outbox_.size() > kOutboxLimit && opcode == Opcode::kPong) return;
  appendFrame(outbox_, opcode, payload, length, static_cast<std::uint32_t>(shared_.random.next()));
  if (blocked_) return;
  const ssize_t sent = send(fd_, outbox_.data(), outbox_.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent < 0 && errno != EAGAIN && errno != EINTR) {
    sendError_ = errno;
    return;
  }
  outboxAt_ = sent > 0 ? static_cast<std::size_t>(sent) : 0;
  if (outboxAt_ < outbox_.size()) return block();
  outbox_.clear();
  outboxAt_ = 0;
}

/// Handles a failed send. First reads from the socket, because the server may have sent a reason before it
/// closed the connection.
void Stream::sendFailed(int error) {
  const std::int64_t now = clockNow();
  while (receive(now)) continue;
  if (fd_ >= 0) fail(error == EPIPE || error == ECONNRESET ? "reset" : "send_errno_" + std::to_string(error), now);
}

}  // namespace cochlea
