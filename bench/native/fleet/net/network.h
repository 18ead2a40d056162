#pragma once

#include <cstdint>

#include "random.h"

namespace cochlea {

/// What happens to packets on their way. Everything off unless given.
struct NetworkOptions {
  /// Standard deviation of a packet's delay, in ms.
  double jitterMs = 0;
  /// Share of time spent in stalls, 0 to below 1, and their mean length in ms.
  double stallShare = 0;
  double stallMs = 0;
  /// Mean time between two disconnects of a stream, in seconds, and the time until it connects again, in ms.
  double disconnectEveryS = 0;
  double reconnectMs = 0;

  bool stalls() const { return stallShare > 0 && stallMs > 0; }
  bool delays() const { return jitterMs > 0 || stalls(); }
};

/// When the packets of one connection leave the device's side of a TCP connection: delayed, never overtaking.
class Network {
 public:
  /// @param start ns, when the first packet is due.
  void begin(const NetworkOptions& options, Random random, std::int64_t start);

  /// @param due ns, when the packet would leave without delay; not earlier than that of the last call.
  /// @returns when it leaves.
  std::int64_t leaves(const NetworkOptions& options, std::int64_t due);

 private:
  Random random_;
  std::int64_t last_ = 0;
  std::int64_t stallBegins_ = 0;
  std::int64_t stallEnds_ = 0;
};

}  // namespace cochlea
