#include "histogram.h"

#include "json.h"

namespace cochlea {

void Histogram::write(std::string& json) const {
  json += '[';
  for (std::size_t bucket = 0; bucket < kBuckets; ++bucket) {
    if (counts_[bucket] == 0) continue;
    if (json.back() != '[') json += ',';
    json += '[';
    appendNumber(json, lowerBound(bucket));
    json += ',';
    appendNumber(json, counts_[bucket]);
    json += ']';
  }
  json += ']';
}

}  // namespace cochlea
