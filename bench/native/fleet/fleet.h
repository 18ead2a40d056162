#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "options.h"
#include "stream.h"
#include "wheel.h"

namespace cochlea {

/// The process of the generator: its streams, the loop that drives them, and the lines that it reads and
/// writes.
///
/// Input lines: `streams N` (wanted number of streams), `snapshot`, `stop`. The end of the input and SIGTERM
/// also mean `stop`.
///
/// Output, one JSON object per line: `{"event":"ready","limit":N}` with the maximum number of streams,
/// `{"event":"snapshot","snapshot":{}}` per request, `{"event":"refused","reason":""}` for an invalid line.
/// The last line is a snapshot with `"event":"last"`.
class Fleet {
 public:
  /// @throws std::runtime_error when a packet file or the address is invalid.
  explicit Fleet(const Options& options);
  ~Fleet();
  Fleet(const Fleet&) = delete;
  Fleet& operator=(const Fleet&) = delete;

  /// Runs until a stop is requested. @returns the exit code.
  int run();

 private:
  void watch(int fd, void* tag, std::uint32_t events);
  void waitForEvents(std::int64_t now);
  void readCommands();
  void onCommand(const std::string& line);
  void want(std::uint32_t count);
  void ramp(std::int64_t now);
  void beginStop(std::int64_t now);
  std::unique_ptr<Stream> make(std::uint32_t index);
  std::string snapshot(const char* event);
  void say(const std::string& line);
  void flushOutput();
  void flushOutputForGood();

  Options options_;
  std::int64_t began_;
  Wheel wheel_;
  Shared shared_;
  /// All streams that were ever opened. Only the first `opened_` of them should be open.
  std::vector<std::unique_ptr<Stream>> streams_;
  /// Number of streams that were made for each class. The phase of the next stream depends on it.
  std::vector<std::uint32_t> madeOfClass_;
  std::uint32_t wanted_ = 0;
  std::uint32_t opened_ = 0;
  std::uint32_t limit_ = 0;
  std::int64_t nextOpen_ = 0;
  std::int64_t cpuSeen_;
  double classOffset_;

  int timer_ = -1;
  int signals_ = -1;
  std::int64_t timerSet_ = -1;
  bool commandsReady_ = false;
  bool stopping_ = false;
  std::int64_t stopAt_ = 0;
  std::string commands_;
  std::string output_;
  bool outputWatched_ = false;
  bool outputPolls_ = false;
};

}  // namespace cochlea
