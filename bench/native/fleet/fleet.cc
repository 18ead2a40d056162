#include "fleet.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "clock.h"
#include "descriptors.h"
#include "json.h"

namespace cochlea {
namespace {

/// The golden ratio minus 1. Its multiples modulo 1 are spread evenly, for any number of multiples.
constexpr double kGolden = 0.6180339887498949;
/// Number of file descriptors that are not for streams: input, output, errors, epoll, timer, signals, and a
/// reserve.
constexpr std::uint32_t kOwnDescriptors = 16;
/// Maximum number of streams that one round closes. More would delay packets of other streams.
constexpr unsigned kClosesPerRound = 64;
constexpr int kEventsPerRound = 256;
constexpr std::size_t kLongestCommand = 4096;
/// Maximum ns for closing all streams.
constexpr std::int64_t kStopLimit = kSecond;

/// Returns the maximum number of streams. The limit of file descriptors of this process determines it.
std::uint32_t mostStreams() {
  const std::uint64_t most = std::min<std::uint64_t>(raiseDescriptors(), 1'000'000);
  return most > kOwnDescriptors ? static_cast<std::uint32_t>(most) - kOwnDescriptors : 0;
}

/// Makes the messages of misbehaving streams. An engine must count these messages and continue.
void fillOdd(Shared& shared, Random random) {
  const std::uint8_t silence = 0;
  shared.keepAlive.add(Opcode::kBinary, &silence, 1, random);
  for (const std::size_t length : {3, 7, 40, 80, 81, 300, 1275, 4000}) {
    std::vector<std::uint8_t> bytes(length);
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.next());
    shared.malformed.add(Opcode::kBinary, bytes.data(), bytes.size(), random);
  }
  for (const std::string_view text : {"{", "hello", "[1,", "\"end\":", "{\"type\":\"speaker_assigned\"", "nul"}) {
    shared.text.add(Opcode::kText, reinterpret_cast<const std::uint8_t*>(text.data()), text.size(), random);
  }
}

}  // namespace

Fleet::Fleet(const Options& options)
    : options_(options),
      began_(clockNow()),
      wheel_(began_),
      shared_(options_, wheel_),
      madeOfClass_(options.classes.size()),
      cpuSeen_(cpuNow()) {
  Random random = Random::of(options.seed, 0, 1000);
  classOffset_ = random.uniform();
  shared_.random = Random(random.next());
  for (const StreamClass& each : options_.classes) shared_.packets.push_back(loadPackets(each.path, random));
  fillOdd(shared_, random);
  shared_.address = resolve(options_.host, options_.port);
  limit_ = mostStreams();

  sigset_t stops;
  sigemptyset(&stops);
  sigaddset(&stops, SIGTERM);
  sigaddset(&stops, SIGINT);
  sigprocmask(SIG_BLOCK, &stops, nullptr);
  signal(SIGPIPE, SIG_IGN);
  shared_.epoll = epoll_create1(EPOLL_CLOEXEC);
  timer_ = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
  signals_ = signalfd(-1, &stops, SFD_CLOEXEC | SFD_NONBLOCK);
  if (shared_.epoll < 0 || timer_ < 0 || signals_ < 0) throw std::runtime_error("no descriptors for the event loop");
  // The timer is edge-triggered, so its expirations need not be read.
  watch(timer_, &timer_, EPOLLIN | EPOLLET);
  watch(signals_, &signals_, EPOLLIN);
  watch(STDIN_FILENO, &commands_, EPOLLIN);
  struct stat output = {};
  if (fstat(STDOUT_FILENO, &output) == 0 && (S_ISFIFO(output.st_mode) || S_ISSOCK(output.st_mode))) {
    // Output to a pipe must not block, because a slow reader would delay packets. Terminals and files stay
    // blocking, because other processes share them.
    outputPolls_ = fcntl(STDOUT_FILENO, F_SETFL, fcntl(STDOUT_FILENO, F_GETFL) | O_NONBLOCK) == 0;
  }
}

Fleet::~Fleet() {
  streams_.clear();
  for (const int fd : {shared_.epoll, timer_, signals_}) {
    if (fd >= 0) close(fd);
  }
}

void Fleet::watch(int fd, void* tag, std::uint32_t events) {
  epoll_event event = {};
  event.events = events;
  event.data.ptr = tag;
  if (epoll_ctl(shared_.epoll, EPOLL_CTL_ADD, fd, &event) == 0) return;
  // epoll does not accept regular files, because they are always readable.
  if (fd == STDIN_FILENO) throw std::runtime_error("the input must be a pipe or a terminal");
  throw std::runtime_error("the event loop does not take a descriptor");
}

int Fleet::run() {
  std::string ready = "{\"event\":\"ready\",\"limit\":";
  appendNumber(ready, limit_);
  say(ready + "}");
  std::int64_t now = clockNow();
  while (!stopping_ || now < stopAt_) {
    waitForEvents(now);
    if (commandsReady_) readCommands();
    shared_.now = clockNow();
    wheel_.advance(shared_.now, [this](Timer& timer) { static_cast<Stream&>(timer).onTimer(shared_.now); });
    ramp(clockNow());
    now = clockNow();
    if (stopping_ && std::all_of(streams_.begin(), streams_.end(), [](const auto& each) { return each->idle(); })) {
      break;
    }
  }
  for (const auto& each : streams_) each->drop();
  say(snapshot("last"));
  flushOutputForGood();
  return 0;
}

void Fleet::waitForEvents(std::int64_t now) {
  std::int64_t wake = wheel_.wakeAt();
  if (opened_ < wanted_) wake = std::min(wake, nextOpen_);
  if (opened_ > wanted_) wake = now;
  if (stopping_) wake = std::min(wake, stopAt_);
  if (wake > now && wake != timerSet_) {
    itimerspec at = {};
    if (wake != kNever) {
      at.it_value.tv_sec = wake / kSecond;
      at.it_value.tv_nsec = wake % kSecond;
    }
    timerfd_settime(timer_, TFD_TIMER_ABSTIME, &at, nullptr);
    timerSet_ = wake;
  }
  epoll_event events[kEventsPerRound];
  const int count = epoll_wait(shared_.epoll, events, kEventsPerRound, wake > now ? -1 : 0);
  for (int i = 0; i < count; ++i) {
    void* const tag = events[i].data.ptr;
    if (tag == &timer_) {
      timerSet_ = -1;
    } else if (tag == &signals_) {
      signalfd_siginfo signal;
      if (read(signals_, &signal, sizeof signal) > 0) beginStop(clockNow());
    } else if (tag == &commands_) {
      // The commands run after this loop, because they may close streams that have events later in this list.
      commandsReady_ = true;
    } else if (tag == &output_) {
      flushOutput();
    } else {
      static_cast<Stream*>(tag)->onEvents(events[i].events, clockNow());
    }
  }
}

void Fleet::readCommands() {
  commandsReady_ = false;
  char bytes[4096];
  const ssize_t got = read(STDIN_FILENO, bytes, sizeof bytes);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got <= 0) {
    epoll_ctl(shared_.epoll, EPOLL_CTL_DEL, STDIN_FILENO, nullptr);
    return beginStop(clockNow());
  }
  commands_.append(bytes, static_cast<std::size_t>(got));
  for (std::size_t end = commands_.find('\n'); end != std::string::npos; end = commands_.find('\n')) {
    const std::string line = commands_.substr(0, end);
    commands_.erase(0, end + 1);
    onCommand(line);
  }
  if (commands_.size() > kLongestCommand) commands_.clear();
}

void Fleet::onCommand(const std::string& line) {
  std::string reason = "no such command: " + line;
  constexpr std::string_view kStreams = "streams ";
  if (line == "snapshot") return say(snapshot("snapshot"));
  if (line == "stop") return beginStop(clockNow());
  if (line.compare(0, kStreams.size(), kStreams) == 0) {
    std::uint32_t count = 0;
    const char* const end = line.data() + line.size();
    const auto [stopped, error] = std::from_chars(line.data() + kStreams.size(), end, count);
    if (error == std::errc() && stopped == end && count <= limit_) return want(count);
    reason = "streams takes a number up to " + std::to_string(limit_) + ", for which there are descriptors";
  }
  std::string refusal = "{\"event\":\"refused\",\"reason\":";
  appendString(refusal, reason);
  say(refusal + "}");
}

void Fleet::want(std::uint32_t count) {
  if (stopping_) return;
  wanted_ = count;
  nextOpen_ = std::max(nextOpen_, clockNow());
}

/// Opens streams that are due, and closes surplus streams, the newest first.
void Fleet::ramp(std::int64_t now) {
  for (unsigned closed = 0; opened_ > wanted_ && closed < kClosesPerRound; ++closed) {
    streams_[--opened_]->leave(1000, now);
  }
  const auto gap = static_cast<std::int64_t>(kSecond / options_.rampPerS);
  for (; opened_ < wanted_ && nextOpen_ <= now; nextOpen_ += gap) {
    if (opened_ == streams_.size()) streams_.push_back(make(opened_));
    streams_[opened_++]->open(now);
  }
}

std::unique_ptr<Stream> Fleet::make(std::uint32_t index) {
  double total = 0;
  for (const StreamClass& each : options_.classes) total += each.weight;
  const double at = std::fmod(classOffset_ + index * kGolden, 1.0) * total;
  std::size_t kind = 0;
  for (double sum = options_.classes[0].weight; sum <= at && kind + 1 < options_.classes.size();) {
    sum += options_.classes[++kind].weight;
  }
  return std::make_unique<Stream>(shared_, index, kind, std::fmod(madeOfClass_[kind]++ * kGolden, 1.0));
}

void Fleet::beginStop(std::int64_t now) {
  if (stopping_) return;
  stopping_ = true;
  stopAt_ = now + kStopLimit;
  wanted_ = opened_ = 0;
  for (const auto& each : streams_) each->leave(1000, now);
}

std::string Fleet::snapshot(const char* event) {
  const std::int64_t cpu = cpuNow();
  std::string json = "{\"event\":\"";
  json += event;
  json += "\",\"snapshot\":{\"atMs\":";
  appendNumber(json, static_cast<double>(clockNow() - began_) / kMs);
  json += ",\"wanted\":";
  appendNumber(json, wanted_);
  json += ",\"open\":";
  appendNumber(json, shared_.open);
  json += ",\"cpuMs\":";
  appendNumber(json, static_cast<double>(cpu - cpuSeen_) / kMs);
  cpuSeen_ = cpu;
  json += ',';
  shared_.counters.take(json);
  return json + "}}";
}

void Fleet::say(const std::string& line) {
  output_ += line;
  output_ += '\n';
  flushOutput();
}

void Fleet::flushOutput() {
  while (!output_.empty()) {
    const ssize_t wrote = write(STDOUT_FILENO, output_.data(), output_.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0 && errno != EAGAIN) output_.clear();
    if (wrote < 0) break;
    output_.erase(0, static_cast<std::size_t>(wrote));
  }
  if (!outputPolls_ || outputWatched_ == !output_.empty()) return;
  outputWatched_ = !output_.empty();
  epoll_event event = {};
  event.events = EPOLLOUT;
  event.data.ptr = &output_;
  epoll_ctl(shared_.epoll, outputWatched_ ? EPOLL_CTL_ADD : EPOLL_CTL_DEL, STDOUT_FILENO, &event);
}

void Fleet::flushOutputForGood() {
  const std::int64_t end = clockNow() + kSecond;
  while (!output_.empty() && clockNow() < end) {
    pollfd waited = {STDOUT_FILENO, POLLOUT, 0};
    if (poll(&waited, 1, 100) < 0 && errno != EINTR) return;
    flushOutput();
  }
}

}  // namespace cochlea
