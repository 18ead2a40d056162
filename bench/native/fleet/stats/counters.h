#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "histogram.h"

namespace cochlea {

/// Counters of events since the last snapshot.
struct Counters {
  std::uint64_t framesSent = 0;
  std::uint64_t bytesSent = 0;
  std::int64_t audioNs = 0;
  std::uint64_t framesBlocked = 0;
  std::uint64_t keepAlivesSent = 0;
  std::uint64_t oddSent = 0;
  std::uint64_t connects = 0;
  std::uint64_t reconnects = 0;
  std::uint64_t textsReceived = 0;
  std::uint64_t segmentsReceived = 0;
  std::map<std::string, std::uint64_t> errors;
  Histogram lateness;
  Histogram segmentLag;
  Histogram connectTime;

  /// Appends the counters as members of a JSON object, then resets them.
  void take(std::string& json);
};

}  // namespace cochlea
