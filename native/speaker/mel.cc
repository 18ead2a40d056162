#include "speaker/mel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace cochlea {
namespace {

constexpr std::size_t kHalf = Mel::kWindow / 2;
constexpr std::size_t kQuarter = Mel::kWindow / 4;
constexpr std::size_t kBins = kHalf + 1;
/// Number of computed bins, 0..100. The same products also give the bins 101..200.
constexpr std::size_t kOutputs = kQuarter + 1;
constexpr double kRate = 16'000;
constexpr double kPi = 3.14159265358979323846;
/// Number of frames that are transformed at once.
constexpr std::size_t kBlock = 16;

/// The parts of a folded frame. Each part is the input of a separate matrix product.
enum Part : std::uint8_t { kCosEven, kCosOdd, kSinEven, kSinOdd, kParts };

struct PartShape {
  std::size_t first;
  std::size_t depth;
};

/// Indexes of the samples in each part: first, first + 2, ... Cosines use 0..200. Sines use 1..199, because
/// they are zero at both ends.
constexpr std::array<PartShape, kParts> kShapes{
    {{0, kQuarter + 1}, {1, kQuarter}, {2, kQuarter - 1}, {1, kQuarter}}};

double slaneyFrequency(double mel) {
  return mel < 15 ? mel * 200 / 3 : 1000 * std::exp((mel - 15) * std::log(6.4) / 27);
}

double slaneyMel(double frequency) {
  return frequency < 1000 ? frequency * 3 / 200 : 15 + std::log(frequency / 1000) * 27 / std::log(6.4);
}

struct Band {
  std::size_t first;
  std::vector<float> weights;
};

std::array<Band, Mel::kBands> makeBands() {
  std::array<double, Mel::kBands + 2> edges;
  const double top = slaneyMel(kRate / 2);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    edges[i] = slaneyFrequency(top * static_cast<double>(i) / (Mel::kBands + 1));
  }
  std::array<Band, Mel::kBands> bands;
  for (std::size_t m = 0; m < Mel::kBands; ++m) {
    Band& band = bands[m];
    band.first = kBins;
    for (std::size_t k = 0; k < kBins; ++k) {
      const double f = static_cast<double>(k) * kRate / Mel::kWindow;
      const double rise = (f - edges[m]) / (edges[m + 1] - edges[m]);
      const double fall = (edges[m + 2] - f) / (edges[m + 2] - edges[m + 1]);
      const double weight = std::min(rise, fall);
      if (weight <= 0) continue;
      band.first = std::min(band.first, k);
      band.weights.push_back(static_cast<float>(weight * 2 / (edges[m + 2] - edges[m])));
    }
  }
  return bands;
}

struct Tables {
  explicit Tables(const Kernels& kernels)
      : width(roundUp(kOutputs, kernels.panel)), zeros(width), bands(makeBands()) {
    for (std::size_t i = 0; i < Mel::kWindow; ++i) {
      window[i] = static_cast<float>(0.5 - 0.5 * std::cos(2 * kPi * static_cast<double>(i) / Mel::kWindow));
    }
    for (std::size_t part = 0; part < kParts; ++part) {
      const auto [first, depth] = kShapes[part];
      packed[part].resize(width * depth);
      for (std::size_t k = 0; k < kOutputs; ++k) {
        for (std::size_t d = 0; d < depth; ++d) {
          // The product is first reduced modulo the window, so that angles are small and exact.
          const double angle =
              2 * kPi * static_cast<double>((first + 2 * d) * k % Mel::kWindow) / Mel::kWindow;
          const std::size_t at =
              k / kernels.panel * kernels.panel * depth + d * kernels.panel + k % kernels.panel;
          packed[part][at] = static_cast<float>(part < kSinEven ? std::cos(angle) : std::sin(angle));
        }
      }
    }
  }

  std::size_t width;
  std::vector<float> zeros;
  std::array<Band, Mel::kBands> bands;
  std::array<float, Mel::kWindow> window;
  std::array<std::vector<float>, kParts> packed;
};

const Tables& tablesFor(const Kernels& kernels) {
  static std::mutex mutex;
  static std::map<const Kernels*, std::unique_ptr<const Tables>> made;
  const std::lock_guard<std::mutex> lock(mutex);
  auto& tables = made[&kernels];
  if (!tables) tables = std::make_unique<const Tables>(kernels);
  return *tables;
}

/// Applies the window to one frame and folds the frame about its middle. The folded samples are sums for
/// cosines and differences for sines. Even and odd samples are stored separately.
void fold(const float* frame, std::array<float*, kParts> rows) {
  constexpr std::size_t n = Mel::kWindow;
  for (std::size_t d = 0; d <= kQuarter; ++d) {
    const std::size_t i = 2 * d;
    const bool end = i == 0 || i == kHalf;
    rows[kCosEven][d] = end ? frame[i] : frame[i] + frame[n - i];
    if (!end) rows[kSinEven][d - 1] = frame[i] - frame[n - i];
  }
  for (std::size_t d = 0; d < kQuarter; ++d) {
    const std::size_t i = 2 * d + 1;
    rows[kCosOdd][d] = frame[i] + frame[n - i];
    rows[kSinOdd][d] = frame[i] - frame[n - i];
  }
}

}  // namespace

void Mel::spectrogram(const std::int16_t* pcm, std::size_t samples, float gain, float* out,
                      const Kernels& kernels) {
  const Tables& tables = tablesFor(kernels);
  const std::size_t width = tables.width;
  const float scale = gain / 32768;
  std::array<std::vector<float>, kParts> folded;
  std::array<std::vector<float>, kParts> products;
  std::array<std::array<const float*, kBlock>, kParts> rows;
  std::array<std::array<float*, kBlock>, kParts> outs;
  for (std::size_t part = 0; part < kParts; ++part) {
    const std::size_t depth = kShapes[part].depth;
    folded[part].resize(kBlock * depth);
    products[part].resize(kBlock * width);
    for (std::size_t b = 0; b < kBlock; ++b) {
      rows[part][b] = folded[part].data() + b * depth;
      outs[part][b] = products[part].data() + b * width;
    }
  }
  std::array<float, kWindow> frame;
  std::array<float, kBins> power;

  const std::size_t total = frames(samples);
  for (std::size_t first = 0; first < total; first += kBlock) {
    const std::size_t count = std::min(kBlock, total - first);
    for (std::size_t b = 0; b < count; ++b) {
      // Sample i of the frame is sample begin + i of the recording. The count includes the zeros before the
      // recording.
      const std::size_t begin = (first + b) * kHop;
      for (std::size_t i = 0; i < kWindow; ++i) {
        const std::size_t at = begin + i;
        const bool inside = at >= kHalf && at - kHalf < samples;
        frame[i] = inside ? static_cast<float>(pcm[at - kHalf]) * scale * tables.window[i] : 0.0f;
      }
      std::array<float*, kParts> targets;
      for (std::size_t part = 0; part < kParts; ++part) {
        targets[part] = folded[part].data() + b * kShapes[part].depth;
      }
      fold(frame.data(), targets);
    }
    for (std::size_t part = 0; part < kParts; ++part) {
      const std::size_t depth = kShapes[part].depth;
      kernels.multiply(rows[part].data(), count, depth, tables.packed[part].data(), depth,
                       tables.zeros.data(), kOutputs, outs[part].data());
    }
    for (std::size_t b = 0; b < count; ++b) {
      const float* cosEven = outs[kCosEven][b];
      const float* cosOdd = outs[kCosOdd][b];
      const float* sinEven = outs[kSinEven][b];
      const float* sinOdd = outs[kSinOdd][b];
      for (std::size_t k = 0; k <= kQuarter; ++k) {
        const float re = cosEven[k] + cosOdd[k];
        const float im = sinEven[k] + sinOdd[k];
        const float mirroredRe = cosEven[k] - cosOdd[k];
        const float mirroredIm = sinOdd[k] - sinEven[k];
        power[k] = re * re + im * im;
        power[kHalf - k] = mirroredRe * mirroredRe + mirroredIm * mirroredIm;
      }
      float* bands = out + (first + b) * kBands;
      for (std::size_t m = 0; m < kBands; ++m) {
        const Band& band = tables.bands[m];
        float sum = 0;
        for (std::size_t i = 0; i < band.weights.size(); ++i) sum += band.weights[i] * power[band.first + i];
        bands[m] = sum;
      }
    }
  }
}

}  // namespace cochlea
