#pragma once

#include <cstddef>
#include <vector>

#include "stream/stream.h"

namespace cochlea::test {

/// Memory for the events of a stream.
struct Recorder {
  std::vector<double> memory = std::vector<double>(EventWriter::kStride * 1000);
  EventWriter writer{memory.data(), 1000};

  double field(std::size_t event, std::size_t i) const { return memory[event * EventWriter::kStride + i]; }
};

}  // namespace cochlea::test
