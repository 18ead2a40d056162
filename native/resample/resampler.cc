#include "resample/resampler.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <mutex>
#include <numeric>

namespace cochlea {
namespace {

constexpr std::uint32_t kRate = 16000;
constexpr double kPi = 3.14159265358979323846;
constexpr double kAttenuation = 85;
/// Width of the transition band, divided by the lower of the two Nyquist frequencies.
constexpr double kTransition = 0.125;
/// Maximum number of phases for which each phase has its own filter row. A prime rate would need 16,000 rows,
/// so its phases are interpolated from fewer rows.
constexpr std::uint32_t kMaxPhases = 1024;

double bessel(double x) {
  double sum = 1;
  double term = 1;
  for (int k = 1; k < 60; ++k) {
    term *= (x / (2 * k)) * (x / (2 * k));
    sum += term;
  }
  return sum;
}

std::shared_ptr<const ResampleTable> build(std::uint32_t rate) {
  auto table = std::make_shared<ResampleTable>();
  const std::uint32_t divisor = std::gcd(kRate, rate);
  table->up = kRate / divisor;
  table->down = rate / divisor;
  table->phases = table->up > kMaxPhases ? kMaxPhases / 2 : table->up;

  const double nyquist = std::min(rate, kRate) / 2.0;
  const double width = kTransition * nyquist / rate;
  const double cutoff = (1 - kTransition / 2) * nyquist / rate;
  const auto half = static_cast<std::size_t>(std::ceil((kAttenuation - 7.95) / (14.36 * width) / 2));
  const double beta = 0.1102 * (kAttenuation - 8.7);
  table->taps = 2 * half;
  table->rows.resize((table->phases + 1) * table->taps);
  std::vector<double> row(table->taps);
  for (std::size_t p = 0; p <= table->phases; ++p) {
    double sum = 0;
    for (std::size_t k = 0; k < table->taps; ++k) {
      const double t = static_cast<double>(k) - static_cast<double>(half - 1) -
                       static_cast<double>(p) / static_cast<double>(table->phases);
      const double x = 2 * cutoff * t;
      const double sinc = std::abs(x) < 1e-12 ? 1 : std::sin(kPi * x) / (kPi * x);
      const double edge = t / static_cast<double>(half);
      row[k] = std::abs(edge) >= 1 ? 0 : sinc * bessel(beta * std::sqrt(1 - edge * edge));
      sum += row[k];
    }
    // Every phase gets the same gain at 0 Hz. Otherwise a constant input would become a tone.
    for (std::size_t k = 0; k < table->taps; ++k) {
      table->rows[p * table->taps + k] = static_cast<float>(row[k] / sum);
    }
  }
  return table;
}

}  // namespace

std::shared_ptr<const ResampleTable> ResampleTable::of(std::uint32_t rate) {
  static std::mutex mutex;
  static std::map<std::uint32_t, std::weak_ptr<const ResampleTable>> tables;
  const std::lock_guard<std::mutex> lock(mutex);
  auto& entry = tables[rate];
  auto table = entry.lock();
  if (!table) {
    table = build(rate);
    entry = table;
  }
  return table;
}

Resampler::Resampler(std::uint32_t rate)
    : table_(ResampleTable::of(rate)), buffer_(table_->taps + 8 + kMaxInput), filled_(table_->taps / 2 - 1) {}

std::size_t Resampler::outputsFor(std::size_t inputs) const {
  const std::size_t end = filled_ + inputs;
  if (end < start_ + table_->taps) return 0;
  const std::uint64_t slack = end - start_ - table_->taps;
  const std::uint64_t reach = (slack + 1) * table_->up - 1;
  return reach < phase_ ? 0 : static_cast<std::size_t>((reach - phase_) / table_->down + 1);
}

std::size_t Resampler::process(const std::int16_t* in, std::size_t count, std::int16_t* out,
                               const Kernels& kernels) {
  for (std::size_t i = 0; i < count; ++i) buffer_[filled_ + i] = in[i];
  filled_ += count;

  const ResampleTable& t = *table_;
  std::size_t written = 0;
  while (start_ + t.taps <= filled_) {
    const float* x = buffer_.data() + start_;
    float y;
    if (t.phases == t.up) {
      y = kernels.dot(x, t.rows.data() + phase_ * t.taps, t.taps);
    } else {
      const std::uint64_t scaled = static_cast<std::uint64_t>(phase_) * t.phases;
      const float* row = t.rows.data() + scaled / t.up * t.taps;
      const float part = static_cast<float>(scaled % t.up) / static_cast<float>(t.up);
      const float before = kernels.dot(x, row, t.taps);
      y = before + part * (kernels.dot(x, row + t.taps, t.taps) - before);
    }
    out[written++] = static_cast<std::int16_t>(std::lrint(std::min(32767.0f, std::max(-32768.0f, y))));
    phase_ += t.down;
    start_ += phase_ / t.up;
    phase_ %= t.up;
  }
  // At 48 kHz, the first tap of the next output may lie a sample or two behind the last input. So at most the
  // existing samples are removed.
  const std::size_t used = std::min(start_, filled_);
  std::memmove(buffer_.data(), buffer_.data() + used, (filled_ - used) * sizeof(float));
  filled_ -= used;
  start_ -= used;
  return written;
}

}  // namespace cochlea
