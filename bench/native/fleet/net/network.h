#pragma once

#include <cstdint>

#include "random.h"

namespace cochlea {

/// Simulated effects of the network on packets. Each effect is off by default.
struct NetworkOptions {
  /// Standard deviation of a packet's delay, in ms.
  double jitterMs = 0;
  /// Share of time spent in stalls, at least 0 and below 1.
  double stallShare = 0;
  /// Mean length of a stall, in ms.
  double stallMs = 0;
  /// Mean time between two disconnects of a stream, in seconds.
  double disconnectEveryS = 0;
  /// Time until a disconnected stream reconnects, in ms.
  double reconnectMs = 0;

  bool stalls() const { return stallShare > 0 && stallMs > 0; }
  bool delays() const { return jitterMs > 0 || stalls(); }
};

/// Computes when each packet of a connection leaves the device. Packets are delayed but keep their order, as
/// over TCP.
class Network {
 public:
  /// @param start ns at which the first packet is due.
  void begin(const NetworkOptions& options, Random random, std::int64_t start);

  /// Returns when a packet leaves.
  /// @param due ns at which the packet would leave without delay; must not decrease between calls.
  /// @returns ns at which the packet leaves.
  std::int64_t leaves(const NetworkOptions& options, std::int64_t due);

 private:
  Random random_;
  std::int64_t last_ = 0;
  std::int64_t stallBegins_ = 0;
  std::int64_t stallEnds_ = 0;
};

}  // namespace cochlea
