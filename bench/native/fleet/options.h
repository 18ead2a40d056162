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
  /// ns between two packets of a stream.
  std::int64_t frameNs = 0;
  std::string path;
  /// Query of the stream's URL, without `uid`.
  std::string query;
};

struct Options {
  std::string host;
  std::string port;
  /// Part of the URL before `/v4/listen`.
  std::string base;
  std::vector<StreamClass> classes;
  double rampPerS = 100;
  std::uint64_t seed = 1;
  NetworkOptions network;
  double keepAliveMs = 0;
  double oddShare = 0;
  /// Complete header lines that every upgrade request contains.
  std::vector<std::string> headers;
  std::string uidPrefix = "fleet-";
  /// Maximum ms that a packet waits while its socket is full.
  double queueMs = 2000;
  /// Number of the CPU core; -1 permits any core.
  int cpu = -1;
  /// Niceness of the process; 0 keeps the current niceness.
  int nice = 0;
  /// Maximum number of streams with one loopback source address. Only about 28,000 ports are free for a pair
  /// of addresses.
  std::uint32_t streamsPerAddress = 20'000;
};

/// Parses the command line. @throws std::runtime_error that names the invalid option.
Options parseOptions(int count, char** words);

}  // namespace cochlea
