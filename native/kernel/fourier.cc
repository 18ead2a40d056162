#include "kernel/fourier.h"

#include <cmath>

namespace cochlea {
namespace {

constexpr double kPi = 3.14159265358979323846;

FourierTurn turn(std::size_t k, std::size_t size) {
  const double angle = -2 * kPi * static_cast<double>(k) / static_cast<double>(size);
  return {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
}

template <std::size_t Size>
FourierTable<Size> build() {
  FourierTable<Size> table{};
  for (std::size_t n = 0; n < Size; ++n) {
    const double angle = 2 * kPi * static_cast<double>(n) / Size;
    table.window[n] = static_cast<float>((0.5 - 0.5 * std::cos(angle)) / 2);
  }
  for (std::size_t k = 0; k < table.inner.size(); ++k) table.inner[k] = turn(k, Size / 2);
  for (std::size_t k = 0; k < table.split.size(); ++k) table.split[k] = turn(k, Size);
  return table;
}

}  // namespace

template <std::size_t Size>
const FourierTable<Size>& FourierTable<Size>::get() {
  static const FourierTable table = build<Size>();
  return table;
}

template struct FourierTable<256>;
template struct FourierTable<128>;

}  // namespace cochlea
