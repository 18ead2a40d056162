#include "counters.h"

#include "clock.h"
#include "json.h"

namespace cochlea {

void Counters::take(std::string& json) {
  const std::pair<const char*, std::uint64_t*> numbers[] = {
      {"framesSent", &framesSent},
      {"bytesSent", &bytesSent},
      {"framesBlocked", &framesBlocked},
      {"keepAlivesSent", &keepAlivesSent},
      {"oddSent", &oddSent},
      {"connects", &connects},
      {"reconnects", &reconnects},
      {"textsReceived", &textsReceived},
      {"segmentsReceived", &segmentsReceived},
  };
  for (const auto& [name, number] : numbers) {
    appendString(json, name);
    json += ':';
    appendNumber(json, *number);
    json += ',';
    *number = 0;
  }
  json += "\"audioMs\":";
  appendNumber(json, static_cast<double>(audioNs) / kMs);
  audioNs = 0;
  json += ",\"errors\":{";
  for (const auto& [kind, count] : errors) {
    if (json.back() != '{') json += ',';
    appendString(json, kind);
    json += ':';
    appendNumber(json, count);
  }
  errors.clear();
  json += '}';
  const std::pair<const char*, Histogram*> histograms[] = {
      {"lateness", &lateness}, {"segmentLag", &segmentLag}, {"connectTime", &connectTime}};
  for (const auto& [name, histogram] : histograms) {
    json += ',';
    appendString(json, name);
    json += ':';
    histogram->write(json);
    histogram->clear();
  }
}

}  // namespace cochlea
