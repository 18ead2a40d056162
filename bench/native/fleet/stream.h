#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "counters.h"
#include "framing.h"
#include "network.h"
#include "options.h"
#include "packets.h"
#include "resolve.h"
#include "wheel.h"

namespace cochlea {

/// Data that all streams of a generator share.
struct Shared {
  Shared(const Options& givenOptions, Wheel& givenWheel) : options(givenOptions), wheel(givenWheel) {}

  const Options& options;
  Address address = {};
  /// The packets of each class, in the order of the classes in `options`.
  std::vector<Frames> packets;
  Frames keepAlive;
  /// Binary messages of misbehaving streams. They are not packets of a codec.
  Frames malformed;
  /// Text messages of misbehaving streams. They are not JSON.
  Frames text;
  Counters counters;
  Wheel& wheel;
  int epoll = -1;
  /// Number of streams whose upgrade was accepted and that have not begun to close.
  std::uint32_t open = 0;
  /// The last reading of the clock. It is both the send time of one packet and the start of the next send, so
  /// one reading suffices.
  std::int64_t now = 0;
  /// Random numbers for masks and keys. The choice of packets does not depend on them.
  Random random;
  std::vector<std::uint8_t> receiveBuffer = std::vector<std::uint8_t>(65536);
};

/// One wearable: a WebSocket that sends packets at their due times and reconnects after a disconnect. All
/// times are ns of `clockNow`.
class Stream : public Timer {
 public:
  /// @param index from 0. Together with the seed, it determines class, first packet, phase and faults.
  /// @param kind index of the stream's class. @param phase time at which its packets are due, as a share of
  ///   the packet interval.
  Stream(Shared& shared, std::uint32_t index, std::size_t kind, double phase);
  ~Stream();

  /// Connects. If the old connection is still closing, drops it first.
  void open(std::int64_t now);

  /// Closes the stream permanently with this close code.
  void leave(std::uint16_t code, std::int64_t now);

  /// Ends the connection at once, without a close frame.
  void drop();

  bool idle() const { return state_ == State::kIdle; }

  void onTimer(std::int64_t now);

  /// Handles events of the socket. @param events bit mask of epoll events.
  void onEvents(std::uint32_t events, std::int64_t now);

 private:
  enum class State : std::uint8_t { kIdle, kConnecting, kUpgrading, kOpen, kClosing, kWaiting };
  enum class Odd : std::uint8_t { kNone, kMalformed, kText, kSilent, kSlow };

  // Functions for the life cycle of a connection (stream.cc).
  void connectNow(std::int64_t now);
  void onConnected(std::int64_t now);
  void onUpgradeBytes(std::int64_t now);
  void begin(std::int64_t now);
  void fail(const std::string& error, std::int64_t now);
  void retry(std::int64_t now);
  void disconnect(std::int64_t now);
  void close(std::uint16_t code, std::int64_t returns, std::int64_t now);
  void finish(std::int64_t now);
  void closeSocket(bool abortive);
  void setState(State state);
  void watch();
  std::string request();

  // Functions that send on an open connection (stream-send.cc).
  void sendDue(std::int64_t now);
  bool offerPacket();
  bool offer(const Frames::Frame& frame);
  void packetTaken(std::int64_t due);
  void advance();
  void block();
  void drain(std::int64_t now);
  void dropStale(std::int64_t now);
  void onEvent(std::int64_t now);
  void sendControl(Opcode opcode, const std::uint8_t* payload, std::size_t length);
  void schedule(std::int64_t now);
  void sendFailed(int error);

  // Functions that receive on an open connection (stream-receive.cc).
  bool receive(std::int64_t now);
  std::size_t parse(const std::uint8_t* bytes, std::size_t length, std::int64_t now);
  void onFrame(const FrameHead& head, const std::uint8_t* payload, std::int64_t now);
  void onServerClose(const std::uint8_t* payload, std::size_t length, std::int64_t now);
  void onText(std::string_view text, std::int64_t now);

  const StreamClass& kind() const { return shared_.options.classes[kind_]; }
  const Frames& packets() const { return shared_.packets[kind_]; }

  Shared& shared_;
  int fd_ = -1;
  State state_ = State::kIdle;
  Odd odd_ = Odd::kNone;
  /// Whether the socket was full. Nothing is then sent until it accepts bytes again.
  bool blocked_ = false;
  /// Whether `pending_` belongs to a packet. Otherwise it belongs to another kind of message.
  bool pendingPacket_ = false;
  /// Whether epoll also watches for writability.
  bool watchesOut_ = false;
  /// Whether epoll watches for readability.
  bool watchesIn_ = false;
  /// Whether the stream has been open before. This connection is then a reconnect.
  bool opened_ = false;
  /// Whether the conversation of the server began with this client's first packet. After a reconnect or a
  /// lost packet, segment times cannot be compared with due times.
  bool timeHolds_ = false;
  bool abortNext_ = false;
  /// Errno of a send that failed, stored for the caller.
  int sendError_ = 0;

  std::uint32_t index_;
  std::uint32_t kind_;
  /// Index of the next packet in the file.
  std::uint32_t position_;
  /// Number of failures since the last connection that lasted.
  std::uint32_t failures_ = 0;
  double phase_;

  /// Time at which the first packet would leave without delays.
  std::int64_t start_ = 0;
  /// Number of packets that were due, whether they were sent or skipped.
  std::uint64_t frame_ = 0;
  /// Time at which the next packet leaves.
  std::int64_t due_ = kNever;
  /// ns between two packets.
  std::int64_t period_;
  /// Due time of the next keep-alive.
  std::int64_t keepAliveAt_ = kNever;
  /// Due time of the next odd message.
  std::int64_t oddAt_ = kNever;
  /// Due time of the next disconnect.
  std::int64_t disconnectAt_ = kNever;
  /// The soonest of `keepAliveAt_`, `oddAt_` and `disconnectAt_`.
  std::int64_t eventAt_ = kNever;

  /// Remaining bytes of a message that the kernel has accepted in part.
  const std::uint8_t* pending_ = nullptr;
  std::uint32_t pendingLength_ = 0;
  std::uint32_t pendingPayload_ = 0;
  std::int64_t pendingDue_ = 0;
  /// Control frames and requests that wait for the socket.
  std::vector<std::uint8_t> outbox_;
  std::size_t outboxAt_ = 0;

  std::int64_t connectBegan_ = 0;
  std::int64_t openedAt_ = 0;
  /// Time at which a closing stream reconnects; kNever if it does not reconnect.
  std::int64_t returnsAt_ = kNever;
  std::string key_;
  /// Bytes of an incomplete frame or upgrade answer.
  std::vector<std::uint8_t> inbox_;
  /// Fragments of the current message that have arrived.
  std::vector<std::uint8_t> message_;
  /// Whether the current message is incomplete.
  bool inMessage_ = false;
  bool messageIsText_ = false;
  /// Largest end time of all segments that have arrived, in seconds.
  double latestEnd_ = -1;

  Network network_;
  Random faults_;
};

}  // namespace cochlea
