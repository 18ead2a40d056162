#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>

#include "stream.h"

namespace cochlea {
namespace {

/// Packets that one stream sends in a row when it fell behind, so that others get their turn.
constexpr unsigned kBurst = 64;
/// Bytes of answers to pings that a full socket keeps.
constexpr std::size_t kOutboxLimit = 1024;
constexpr std::int64_t kOddPeriod = kSecond;
/// Bytes a slow reader takes at a time.
constexpr std::size_t kSip = 64;

}  // namespace

/// Sends what is due and sleeps until something is.
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

/// Gives the kernel the packet that is due. @returns whether it took all of it.
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

/// Sends a message of the shared memory; of one that does not fit whole, `pending_` is the rest.
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

/// Turns to the next packet. Its time follows from the stream's start alone, however late the one before was.
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

/// The socket takes bytes again: the rest of what was begun, then control frames, then every packet that waited.
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

/// Gives up packets that waited longer than a wearable keeps them.
void Stream::dropStale(std::int64_t now) {
  const auto limit = static_cast<std::int64_t>(shared_.options.queueMs * kMs);
  std::uint64_t lost = 0;
  for (; due_ + limit <= now; ++lost) advance();
  if (lost == 0) return;
  shared_.counters.errors["frames_lost"] += lost;
  timeHolds_ = false;
}

/// What a stream does besides sending packets.
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

/// Sends a control frame, behind what the socket did not take yet.
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

/// A send failed: the server may have said why before it went.
void Stream::sendFailed(int error) {
  const std::int64_t now = clockNow();
  while (receive(now)) continue;
  if (fd_ >= 0) fail(error == EPIPE || error == ECONNRESET ? "reset" : "send_errno_" + std::to_string(error), now);
}

/// Reads once. @returns whether there may be more.
bool Stream::receive(std::int64_t now) {
  if (fd_ < 0) return false;
  std::vector<std::uint8_t>& buffer = shared_.receiveBuffer;
  const bool sips = odd_ == Odd::kSlow && state_ == State::kOpen;
  const ssize_t got = recv(fd_, buffer.data(), sips ? kSip : buffer.size(), MSG_DONTWAIT);
  if (got < 0) {
    if (errno != EAGAIN && errno != EINTR) fail("reset", now);
    return false;
  }
  if (got == 0) {
    if (state_ == State::kClosing) {
      finish(now);
    } else {
      fail(state_ == State::kUpgrading ? "upgrade_closed" : "eof", now);
    }
    return false;
  }
  const auto length = static_cast<std::size_t>(got);
  if (state_ == State::kUpgrading) {
    inbox_.insert(inbox_.end(), buffer.data(), buffer.data() + length);
    onUpgradeBytes(now);
    // What came behind the answer is in the inbox.
    if (state_ != State::kOpen || inbox_.empty()) return fd_ >= 0;
  } else if (inbox_.empty()) {
    const std::size_t used = parse(buffer.data(), length, now);
    if (fd_ >= 0) inbox_.assign(buffer.data() + used, buffer.data() + length);
    return fd_ >= 0;
  } else {
    inbox_.insert(inbox_.end(), buffer.data(), buffer.data() + length);
  }
  // Parsing may close the stream, which empties its inbox.
  std::vector<std::uint8_t> bytes;
  bytes.swap(inbox_);
  const std::size_t used = parse(bytes.data(), bytes.size(), now);
  if (fd_ < 0) return false;
  bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(used));
  inbox_.swap(bytes);
  return true;
}

/// Handles the frames that are complete. @returns bytes that they took.
std::size_t Stream::parse(const std::uint8_t* bytes, std::size_t length, std::int64_t now) {
  std::size_t at = 0;
  FrameHead head;
  while (fd_ >= 0 && readHead(bytes + at, length - at, head)) {
    const bool control = isControl(head.opcode);
    if (head.reserved || head.masked || (control && (!head.final || head.length > 125))) {
      fail("protocol", now);
      break;
    }
    if (head.length + message_.size() > kLongestMessage) {
      fail("message_too_long", now);
      break;
    }
    if (length - at < head.size + head.length) break;
    onFrame(head, bytes + at + head.size, now);
    at += head.size + head.length;
  }
  return at;
}

void Stream::onFrame(const FrameHead& head, const std::uint8_t* payload, std::int64_t now) {
  const auto length = static_cast<std::size_t>(head.length);
  switch (head.opcode) {
    case Opcode::kText:
    case Opcode::kBinary:
      if (inMessage_) return fail("protocol", now);
      if (head.final) {
        if (head.opcode == Opcode::kText) onText({reinterpret_cast<const char*>(payload), length}, now);
        return;
      }
      inMessage_ = true;
      messageIsText_ = head.opcode == Opcode::kText;
      message_.assign(payload, payload + length);
      return;
    case Opcode::kContinuation:
      if (!inMessage_) return fail("protocol", now);
      message_.insert(message_.end(), payload, payload + length);
      if (!head.final) return;
      inMessage_ = false;
      if (messageIsText_) onText({reinterpret_cast<const char*>(message_.data()), message_.size()}, now);
      message_.clear();
      return;
    case Opcode::kPing:
      // After our close frame nothing may follow.
      if (state_ == State::kOpen) sendControl(Opcode::kPong, payload, length);
      if (sendError_ != 0) fail("reset", now);
      return;
    case Opcode::kPong:
      return;
    case Opcode::kClose:
      return onServerClose(payload, length, now);
  }
  fail("protocol", now);
}

void Stream::onServerClose(const std::uint8_t* payload, std::size_t length, std::int64_t now) {
  // The answer to our close: the server ends the connection, or the timer does.
  if (state_ == State::kClosing) return;
  if (length == 1) return fail("protocol", now);
  const unsigned code = length == 0 ? 1005u : static_cast<unsigned>(payload[0] << 8 | payload[1]);
  sendControl(Opcode::kClose, payload, std::min<std::size_t>(length, 2));
  fail("close_" + std::to_string(code), now);
}

void Stream::onText(std::string_view text, std::int64_t now) {
  ++shared_.counters.textsReceived;
  if (text.empty() || text.front() != '[') return;
  // A quote inside a string is escaped, so these characters are a member's name.
  constexpr std::string_view kEnd = "\"end\":";
  double latest = -1;
  for (std::size_t at = text.find(kEnd); at != std::string_view::npos; at = text.find(kEnd, at)) {
    at += kEnd.size();
    while (at < text.size() && text[at] == ' ') ++at;
    double end = 0;
    if (std::from_chars(text.data() + at, text.data() + text.size(), end).ec != std::errc()) continue;
    ++shared_.counters.segmentsReceived;
    latest = std::max(latest, end);
  }
  // A segment that is sent again, translated or named, is no later speech.
  if (!timeHolds_ || latest <= latestEnd_ || latest > 1e6) return;
  latestEnd_ = latest;
  const double last = std::max(0.0, std::ceil(latest * kSecond / static_cast<double>(period_) - 1e-6) - 1);
  shared_.counters.segmentLag.record(now - start_ - static_cast<std::int64_t>(last) * period_);
}

}  // namespace cochlea
