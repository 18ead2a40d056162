#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>

#include "stream.h"

namespace cochlea {
namespace {

/// Number of bytes that a slow reader reads at a time.
constexpr std::size_t kSip = 64;

}  // namespace

/// Reads from the socket once. @returns whether more bytes may be available.
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
    // The inbox contains bytes that arrived behind the server's answer.
    if (state_ != State::kOpen || inbox_.empty()) return fd_ >= 0;
  } else if (inbox_.empty()) {
    const std::size_t used = parse(buffer.data(), length, now);
    if (fd_ >= 0) inbox_.assign(buffer.data() + used, buffer.data() + length);
    return fd_ >= 0;
  } else {
    inbox_.insert(inbox_.end(), buffer.data(), buffer.data() + length);
  }
  // Parsing may close the stream and thereby empty its inbox, so the bytes are moved out of the inbox first.
  std::vector<std::uint8_t> bytes;
  bytes.swap(inbox_);
  const std::size_t used = parse(bytes.data(), bytes.size(), now);
  if (fd_ < 0) return false;
  bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(used));
  inbox_.swap(bytes);
  return true;
}

/// Handles all complete frames in `bytes`. @returns the number of bytes of these frames.
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
      // This client must send no frame after its close frame.
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
  // The server has answered this client's close frame and must end the connection. If it does not, the timer
  // ends it.
  if (state_ == State::kClosing) return;
  if (length == 1) return fail("protocol", now);
  const unsigned code = length == 0 ? 1005u : static_cast<unsigned>(payload[0] << 8 | payload[1]);
  sendControl(Opcode::kClose, payload, std::min<std::size_t>(length, 2));
  fail("close_" + std::to_string(code), now);
}

void Stream::onText(std::string_view text, std::int64_t now) {
  ++shared_.counters.textsReceived;
  if (text.empty() || text.front() != '[') return;
  // In JSON, a quote inside a string is escaped. So these characters are always the name of a member, never a
  // part of a text.
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
  // The server may send a segment again, for example with a translation or another speaker. Such a segment
  // ends no later than the latest segment and is not counted again.
  if (!timeHolds_ || latest <= latestEnd_ || latest > 1e6) return;
  latestEnd_ = latest;
  const double last = std::max(0.0, std::ceil(latest * kSecond / static_cast<double>(period_) - 1e-6) - 1);
  shared_.counters.segmentLag.record(now - start_ - static_cast<std::int64_t>(last) * period_);
}

}  // namespace cochlea
