#include "options.h"

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <stdexcept>
#include <string_view>

#include "clock.h"

namespace cochlea {
namespace {

double numberOf(const std::string& flag, const std::string& text, double least, double most) {
  char* end = nullptr;
  errno = 0;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || errno != 0 || !(value >= least && value <= most)) {
    char range[64];
    std::snprintf(range, sizeof range, "%.16g to %.16g", least, most);
    throw std::runtime_error(flag + " takes a number from " + range + ", not \"" + text + "\"");
  }
  return value;
}

double wholeOf(const std::string& flag, const std::string& text, double least, double most) {
  const double value = numberOf(flag, text, least, most);
  if (value != std::floor(value)) throw std::runtime_error(flag + " takes a whole number, not \"" + text + "\"");
  return value;
}

/// Checks that a text contains only characters that a request head may contain. Other characters could inject
/// header lines.
const std::string& checked(const std::string& flag, const std::string& text, bool spaces) {
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < (spaces ? ' ' : '!') || c == 0x7f) {
      throw std::runtime_error(flag + " holds a character that a request must not hold");
    }
  }
  return text;
}

void parseUrl(Options& options, const std::string& text) {
  std::string rest = checked("--url", text, false);
  if (rest.rfind("wss://", 0) == 0) {
    throw std::runtime_error("wss:// is not spoken: put the load on the server itself, behind its TLS proxy");
  }
  if (rest.rfind("ws://", 0) != 0) throw std::runtime_error("--url takes ws://host:port, not \"" + text + "\"");
  rest.erase(0, 5);
  const std::size_t slash = rest.find('/');
  if (slash != std::string::npos) {
    options.base = rest.substr(slash);
    rest.erase(slash);
    while (!options.base.empty() && options.base.back() == '/') options.base.pop_back();
  }
  const bool bracketed = !rest.empty() && rest.front() == '[';
  const std::size_t close = bracketed ? rest.find(']') : std::string::npos;
  const std::size_t colon = bracketed ? (close == std::string::npos ? close : close + 1) : rest.find(':');
  options.host = bracketed ? rest.substr(1, close == std::string::npos ? 0 : close - 1) : rest.substr(0, colon);
  options.port = "80";
  if (colon != std::string::npos && colon < rest.size()) {
    if (rest[colon] != ':') throw std::runtime_error("--url takes ws://host:port, not \"" + text + "\"");
    options.port = rest.substr(colon + 1);
    wholeOf("the port of --url", options.port, 1, 65535);
  }
  if (options.host.empty()) throw std::runtime_error("--url names no host");
}

}  // namespace

Options parseOptions(int count, char** words) {
  Options options;
  int at = 1;
  const auto next = [&](const std::string& flag) -> std::string {
    if (at >= count) throw std::runtime_error(flag + " lacks a value");
    return words[at++];
  };
  const auto number = [&next](double& into, double least, double most) {
    return [&next, &into, least, most](const std::string& flag) { into = numberOf(flag, next(flag), least, most); };
  };
  constexpr double kDay = 86'400'000;
  const std::map<std::string_view, std::function<void(const std::string&)>> readers = {
      {"--url", [&](const std::string& flag) { parseUrl(options, next(flag)); }},
      {"--class",
       [&](const std::string& flag) {
         StreamClass added;
         added.name = next(flag);
         added.weight = numberOf("the weight of --class", next(flag), 0, 1e9);
         added.frameNs = std::llround(numberOf("the ms of --class", next(flag), 1, 10'000) * kMs);
         added.path = next(flag);
         added.query = checked("the query of --class", next(flag), false);
         options.classes.push_back(added);
       }},
      {"--ramp", number(options.rampPerS, 0.01, 100'000)},
      {"--seed",
       [&](const std::string& flag) {
         options.seed = static_cast<std::uint64_t>(wholeOf(flag, next(flag), 0, 9007199254740991));
       }},
      {"--jitter-ms", number(options.network.jitterMs, 0, 60'000)},
      {"--stall-share", number(options.network.stallShare, 0, 0.99)},
      {"--stall-ms", number(options.network.stallMs, 0, 60'000)},
      {"--disconnect-every-s", number(options.network.disconnectEveryS, 0, kDay)},
      {"--reconnect-ms", number(options.network.reconnectMs, 0, kDay)},
      {"--keep-alive-ms", number(options.keepAliveMs, 0, kDay)},
      {"--odd-share", number(options.oddShare, 0, 1)},
      {"--header", [&](const std::string& flag) { options.headers.push_back(checked(flag, next(flag), true)); }},
      {"--uid-prefix", [&](const std::string& flag) { options.uidPrefix = checked(flag, next(flag), false); }},
      {"--queue-ms", number(options.queueMs, 1, 60'000)},
      {"--cpu", [&](const std::string& flag) { options.cpu = static_cast<int>(wholeOf(flag, next(flag), 0, 1023)); }},
      {"--nice", [&](const std::string& flag) { options.nice = static_cast<int>(wholeOf(flag, next(flag), -20, 19)); }},
      {"--streams-per-address",
       [&](const std::string& flag) {
         options.streamsPerAddress = static_cast<std::uint32_t>(wholeOf(flag, next(flag), 1, 60'000));
       }},
  };
  while (at < count) {
    const std::string flag = words[at++];
    const auto reader = readers.find(flag);
    if (reader == readers.end()) throw std::runtime_error("no such flag: " + flag);
    reader->second(flag);
  }
  if (options.host.empty()) throw std::runtime_error("--url is missing");
  double weights = 0;
  for (const StreamClass& each : options.classes) weights += each.weight;
  if (!(weights > 0)) throw std::runtime_error("--class is missing, or all weights are 0");
  return options;
}

}  // namespace cochlea
