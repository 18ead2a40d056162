#include "network.h"

#include <algorithm>

#include "clock.h"

namespace cochlea {
namespace {

double meanGap(const NetworkOptions& options) {
  return options.stallMs * (1 - options.stallShare) / options.stallShare;
}

std::int64_t toNs(double ms) { return static_cast<std::int64_t>(ms * kMs); }

}  // namespace

void Network::begin(const NetworkOptions& options, Random random, std::int64_t start) {
  random_ = random;
  last_ = start;
  stallBegins_ = stallEnds_ = kNever;
  if (!options.stalls()) return;
  stallBegins_ = start + toNs(random_.exponential(meanGap(options)));
  stallEnds_ = stallBegins_ + toNs(random_.exponential(options.stallMs));
}

std::int64_t Network::leaves(const NetworkOptions& options, std::int64_t due) {
  std::int64_t at = due;
  if (options.jitterMs > 0) at += toNs(options.jitterMs * random_.halfNormal());
  at = std::max(at, last_);
  while (at >= stallEnds_) {
    stallBegins_ = stallEnds_ + toNs(random_.exponential(meanGap(options)));
    stallEnds_ = stallBegins_ + toNs(random_.exponential(options.stallMs));
  }
  if (at >= stallBegins_) at = stallEnds_;
  return last_ = at;
}

}  // namespace cochlea
