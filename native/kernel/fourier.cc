#include "kernel/fourier.h"

#include <cmath>

namespace cochlea {
namespace {

constexpr double kPi = 3.14159265358979323846;

FourierTable::Turn turn(std::size_t k, std::size_t size) {
  const double angle = -2 * kPi * static_cast<double>(k) / static_cast<double>(size);
  return {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
}

FourierTable build() {
  FourierTable table{};
  for (std::size_t n = 0; n < kFourierSize; ++n) {
    const double angle = 2 * kPi * static_cast<double>(n) / kFourierSize;
    table.window[n] = static_cast<float>((0.5 - 0.5 * std::cos(angle)) / 2);
  }
  for (std::size_t k = 0; k < table.inner.size(); ++k) table.inner[k] = turn(k, kFourierSize / 2);
  for (std::size_t k = 0; k < table.split.size(); ++k) table.split[k] = turn(k, kFourierSize);
  return table;
}

}  // namespace

const FourierTable& FourierTable::get() {
  static const FourierTable table = build();
  return table;
}

}  // namespace cochlea
