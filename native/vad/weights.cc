#include "vad/weights.h"

#include <array>
#include <cstring>

#include "kernel/fourier.h"

namespace cochlea {
namespace {

constexpr std::size_t kHidden = 128;
constexpr std::size_t kGates = 4 * kHidden;

struct Convolution {
  std::size_t in;
  std::size_t out;
  /// First tap that is applied to frames, and number of such taps. All other taps are applied only to
  /// padding.
  std::size_t firstTap;
  std::size_t taps;
};

// Shapes of the encoder, for four input frames, strides 1, 2, 2, 1 and one frame of padding on each side. The
// third layer has two input frames, so its first tap is applied only to padding. The fourth layer has one
// input frame, so only its middle tap counts.
std::array<Convolution, 4> encoderOf(const SileroVariant& half) {
  return {{{fourierBins(half.frame), 128, 0, 3}, {128, 64, 0, 3}, {64, 64, 1, 2}, {64, 128, 1, 1}}};
}

std::size_t floatsOf(const SileroVariant& half) {
  std::size_t floats = 2 * kGates * kHidden + 2 * kGates + kHidden + 1;
  for (const Convolution& layer : encoderOf(half)) floats += layer.out * layer.in * 3 + layer.out;
  return floats;
}

class Reader {
 public:
  explicit Reader(const std::uint8_t* bytes) : bytes_(bytes) {}

  std::vector<float> take(std::size_t count) {
    std::vector<float> values(count);
    std::memcpy(values.data(), bytes_, count * sizeof(float));
    bytes_ += count * sizeof(float);
    return values;
  }

 private:
  const std::uint8_t* bytes_;
};

/// Packs the weights of a layer. @param weight returns the weight for an output and an index of depth
template <typename Weight>
Layer pack(std::size_t outputs, std::size_t depth, std::size_t panel, const std::vector<float>& bias,
           Weight weight) {
  Layer layer;
  layer.depth = depth;
  layer.outputs = outputs;
  layer.width = roundUp(outputs, panel);
  layer.packed.assign(layer.width * depth, 0.0f);
  layer.bias.assign(layer.width, 0.0f);
  for (std::size_t n = 0; n < outputs; ++n) {
    if (!bias.empty()) layer.bias[n] = bias[n];
    float* block = layer.packed.data() + n / panel * panel * depth + n % panel;
    for (std::size_t k = 0; k < depth; ++k) block[k * panel] = weight(n, k);
  }
  return layer;
}

SileroWeights read(Reader& reader, const SileroVariant& half, const std::size_t panel) {
  SileroWeights weights;
  weights.half = half;
  const std::array<Convolution, 4> shapes = encoderOf(half);
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const Convolution& shape = shapes[i];
    const std::vector<float> weight = reader.take(shape.out * shape.in * 3);
    const std::vector<float> bias = reader.take(shape.out);
    // The depth is ordered by tap, then by channel. The channels of a frame are stored together, so the
    // inputs of one output are contiguous.
    weights.encoder[i] =
        pack(shape.out, shape.taps * shape.in, panel, bias, [&](std::size_t n, std::size_t k) {
          const std::size_t tap = shape.firstTap + k / shape.in;
          return weight[(n * shape.in + k % shape.in) * 3 + tap];
        });
  }

  const std::vector<float> input = reader.take(kGates * kHidden);
  const std::vector<float> recurrent = reader.take(kGates * kHidden);
  std::vector<float> bias = reader.take(kGates);
  const std::vector<float> recurrentBias = reader.take(kGates);
  for (std::size_t n = 0; n < kGates; ++n) bias[n] += recurrentBias[n];
  // The input and the hidden state are stored next to each other, so that one product computes both.
  weights.lstm = pack(kGates, 2 * kHidden, panel, bias, [&](std::size_t n, std::size_t k) {
    return k < kHidden ? input[n * kHidden + k] : recurrent[n * kHidden + k - kHidden];
  });

  weights.decoder = reader.take(kHidden);
  weights.decoderBias = reader.take(1)[0];
  return weights;
}

}  // namespace

std::size_t SileroModel::fileBytes() {
  return (floatsOf(kWideVariant) + floatsOf(kNarrowVariant)) * sizeof(float);
}

bool SileroModel::load(const std::uint8_t* file, std::size_t length, const Kernels& kernels) {
  if (length != fileBytes()) return false;
  Reader reader(file);
  wide = read(reader, kWideVariant, kernels.panel);
  narrow = read(reader, kNarrowVariant, kernels.panel);
  return true;
}

}  // namespace cochlea
