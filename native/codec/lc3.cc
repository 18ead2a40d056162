#include "codec/lc3.h"

#ifdef COCHLEA_LC3
#include <lc3.h>
#endif

namespace cochlea {

std::size_t Lc3Stream::duration(const std::uint8_t*, std::size_t length) const {
  if (length % channels_ != 0) return 0;
  const std::size_t each = length / channels_;
  const bool fits = frameBytes_ > 0 ? each == frameBytes_ : each >= kMinFrame && each <= kMaxFrame;
  return fits ? frameSamples() : 0;
}

std::size_t Lc3Stream::conceal(std::int16_t* out, std::size_t samples) {
  if (samples < frameSamples()) return 0;
  run(nullptr, 0, out);
  return frameSamples();
}

FrameDecoder::Result Lc3Stream::decode(const std::uint8_t* frame, std::size_t length, std::int16_t* out) {
  if (duration(frame, length) == 0) return {0, false};
  // `run` writes samples even if the frame is invalid, because liblc3 conceals it. So the stream's clock
  // stays correct.
  const bool valid = run(frame, length / channels_, out);
  return {frameSamples(), valid};
}

#ifdef COCHLEA_LC3

// The build defines COCHLEA_LC3 as the version of liblc3 that it found.
#define COCHLEA_TEXT_OF(tokens) #tokens
#define COCHLEA_TEXT(macro) COCHLEA_TEXT_OF(macro)

namespace {
constexpr int kFrameMicroseconds = 10000;
}

const char* Lc3Stream::version() { return COCHLEA_TEXT(COCHLEA_LC3); }

Lc3Stream::Lc3Stream(std::uint32_t rate, unsigned channels, std::size_t frameBytes)
    : rate_(rate), channels_(channels), frameBytes_(frameBytes) {}

std::unique_ptr<Lc3Stream> Lc3Stream::make(std::uint32_t rate, unsigned channels, std::size_t frameBytes) {
  const int hertz = static_cast<int>(rate);
  if (!LC3_CHECK_SR_HZ(hertz) || channels < 1 || channels > 2) return nullptr;
  std::unique_ptr<Lc3Stream> stream(new Lc3Stream(rate, channels, frameBytes));
  stream->decoderWords_ = (lc3_decoder_size(kFrameMicroseconds, hertz) + 7) / 8;
  stream->memory_.resize(stream->decoderWords_ * channels);
  for (unsigned c = 0; c < channels; ++c) {
    if (lc3_setup_decoder(kFrameMicroseconds, hertz, 0, stream->decoder(c)) == nullptr) return nullptr;
  }
  return stream;
}

bool Lc3Stream::run(const std::uint8_t* frame, std::size_t length, std::int16_t* out) {
  bool valid = true;
  std::int16_t second[kMaxSamples];
  for (unsigned c = 0; c < channels_; ++c) {
    // The handle of a liblc3 decoder is the address of its memory.
    const auto handle = static_cast<lc3_decoder_t>(decoder(c));
    const std::uint8_t* bytes = frame == nullptr ? nullptr : frame + c * length;
    const int result =
        lc3_decode(handle, bytes, static_cast<int>(length), LC3_PCM_FORMAT_S16, c == 0 ? out : second, 1);
    valid = valid && result == 0;
  }
  for (std::size_t i = 0; channels_ == 2 && i < frameSamples(); ++i) {
    // The arithmetic shift rounds down, as for PCM.
    // NOLINTNEXTLINE(bugprone-signed-bitwise): a division would round towards zero.
    out[i] = static_cast<std::int16_t>((out[i] + second[i]) >> 1);
  }
  return valid;
}

#else

const char* Lc3Stream::version() { return nullptr; }

std::unique_ptr<Lc3Stream> Lc3Stream::make(std::uint32_t, unsigned, std::size_t) { return nullptr; }

bool Lc3Stream::run(const std::uint8_t*, std::size_t, std::int16_t*) { return false; }

#endif

}  // namespace cochlea
