#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "network.h"

namespace cochlea {

/// One kind of wearable.
struct StreamClass {
  std::string name;
  double weight = 1;
  /// ns between two packets.
  std::int64_t frameNs = 0;
  std::string path;
  /// Of the stream's address, without `uid`.
  std::string query;
};

struct Options {
  std::string host;
  std::string port;
  /// What stands in front of `/v4/listen`.
  std::string base;
  std::vector<StreamClass> classes;
  double rampPerS = 100;
  std::uint64_t seed = 1;
  NetworkOptions network;
  double keepAliveMs = 0;
  double oddShare = 0;
  /// Whole lines, sent with every upgrade.
  std::vector<std::string> headers;
  std::string uidPrefix = "fleet-";
  /// Ms of packets that wait while a socket is full.
  double queueMs = 2000;
  /// The core to run on; -1: any.
  int cpu = -1;
  /// Priority as `nice` counts it; 0 leaves it alone.
  int nice = 0;
  /// Streams that leave from one loopback address: a pair of addresses has some 28,000 ports.
  std::uint32_t streamsPerAddress = 20'000;
};

/// Reads the command line. @throws std::runtime_error saying what is wrong with it.
Options parseOptions(int count, char** words);

}  // namespace cochlea
