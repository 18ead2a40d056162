// Writes the seeds of the fuzzers to DIRECTORY/NAME: packets of real encoders, one stream per file.
//   fuzz-seeds DIRECTORY
#include <opus.h>

#ifdef COCHLEA_LC3
#include <lc3.h>
#endif

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

namespace {

using Bytes = std::vector<std::uint8_t>;

std::filesystem::path root;

void write(const std::string& name, const std::string& file, const Bytes& bytes) {
  std::filesystem::create_directories(root / name);
  std::ofstream(root / name / file, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

/// Appends a frame in the format of `Frames` in frames.h.
void append(Bytes& stream, const Bytes& frame, unsigned flags) {
  stream.push_back(static_cast<std::uint8_t>(frame.size() & 0xff));
  stream.push_back(static_cast<std::uint8_t>((frame.size() >> 8 & 0x0f) | flags << 4));
  stream.insert(stream.end(), frame.begin(), frame.end());
}

/// Returns a changing tone with noise.
std::vector<std::int16_t> sound(int rate, int channels, int samples) {
  std::mt19937 random(3);
  std::vector<std::int16_t> pcm(static_cast<std::size_t>(samples * channels));
  for (std::size_t i = 0; i < pcm.size(); ++i) {
    const double t = static_cast<double>(i) / (rate * channels);
    pcm[i] = static_cast<std::int16_t>(8000 * std::sin(2 * 3.14159265 * (300 + 200 * t) * t) +
                                       static_cast<double>(random() % 500));
  }
  return pcm;
}

struct Setting {
  int application;
  int bitrate;
  int rate;
  int channels;
  int ms10;
  bool dtx;
  const char* name;
};

constexpr Setting kOpus[] = {
    {OPUS_APPLICATION_VOIP, 12000, 8000, 1, 200, false, "silk-narrow"},
    {OPUS_APPLICATION_VOIP, 16000, 12000, 1, 400, false, "silk-medium-40ms"},
    {OPUS_APPLICATION_VOIP, 24000, 16000, 1, 200, false, "silk-wide"},
    {OPUS_APPLICATION_VOIP, 24000, 16000, 1, 200, true, "silk-dtx"},
    {OPUS_APPLICATION_VOIP, 24000, 16000, 1, 600, false, "silk-60ms"},
    {OPUS_APPLICATION_VOIP, 28000, 16000, 1, 1200, false, "silk-120ms"},
    {OPUS_APPLICATION_VOIP, 30000, 24000, 1, 200, false, "hybrid"},
    {OPUS_APPLICATION_VOIP, 40000, 48000, 2, 200, false, "hybrid-stereo"},
    {OPUS_APPLICATION_AUDIO, 64000, 48000, 1, 100, false, "celt-10ms"},
    {OPUS_APPLICATION_RESTRICTED_LOWDELAY, 64000, 48000, 2, 25, false, "celt-2.5ms"},
    {OPUS_APPLICATION_RESTRICTED_LOWDELAY, 96000, 16000, 1, 50, false, "celt-5ms"},
    {OPUS_APPLICATION_AUDIO, 128000, 48000, 2, 1000, false, "celt-100ms"},
};

void opus() {
  for (const Setting& s : kOpus) {
    OpusEncoder* encoder = opus_encoder_create(s.rate, s.channels, s.application, nullptr);
    opus_encoder_ctl(encoder, OPUS_SET_BITRATE(s.bitrate));
    opus_encoder_ctl(encoder, OPUS_SET_DTX(s.dtx ? 1 : 0));
    opus_encoder_ctl(encoder, OPUS_SET_INBAND_FEC(1));
    opus_encoder_ctl(encoder, OPUS_SET_PACKET_LOSS_PERC(15));
    const int frame = s.rate / 100 * s.ms10 / 100;
    const std::ptrdiff_t step = std::ptrdiff_t{frame} * s.channels;
    const int packets = s.dtx ? 40 : 6;
    std::vector<std::int16_t> pcm = sound(s.rate, s.channels, frame * packets);
    if (s.dtx) std::fill(pcm.begin() + 4 * step, pcm.end(), std::int16_t{0});
    Bytes stream;
    for (int p = 0; p < packets; ++p) {
      Bytes packet(4000);
      const int length = opus_encode(encoder, pcm.data() + p * step, frame, packet.data(), 4000);
      packet.resize(static_cast<std::size_t>(length > 0 ? length : 0));
      append(stream, packet, p == 3 ? 1 : 0);
    }
    write("opus", s.name, stream);
    write("opus-look", s.name, stream);
    // The stream target expects byte 0 to be the format.
    Bytes coded = {2};
    coded.insert(coded.end(), stream.begin(), stream.end());
    write("stream", std::string("opus-") + s.name, coded);
    opus_encoder_destroy(encoder);
  }
}

#ifdef COCHLEA_LC3

struct Lc3Setting {
  int rate;
  int bytes;
  /// First byte of the input, which selects the rate in the targets. See `kRates` there.
  std::uint8_t format;
};

constexpr Lc3Setting kLc3[] = {{16000, 30, 0x00}, {16000, 30, 0x80}, {16000, 40, 0x00},  {8000, 20, 0x01},
                               {24000, 60, 0x02}, {32000, 80, 0x03}, {48000, 150, 0x04}, {48000, 400, 0x04}};

void lc3() {
  for (const Lc3Setting& s : kLc3) {
    std::vector<std::uint64_t> memory((lc3_encoder_size(10000, s.rate) + 7) / 8);
    const auto encoder = lc3_setup_encoder(10000, s.rate, 0, memory.data());
    const int frame = s.rate / 100;
    const std::vector<std::int16_t> pcm = sound(s.rate, 1, 8 * frame);
    Bytes stream;
    Bytes pairs;
    for (std::ptrdiff_t p = 0; p < 8; ++p) {
      Bytes bytes(static_cast<std::size_t>(s.bytes));
      lc3_encode(encoder, LC3_PCM_FORMAT_S16, pcm.data() + p * frame, 1, s.bytes, bytes.data());
      append(stream, bytes, p == 5 ? 1 : 0);
      Bytes pair = bytes;
      pair.insert(pair.end(), bytes.begin(), bytes.end());
      append(pairs, pair, 0);
    }
    const std::string name =
        std::to_string(s.rate) + "-" + std::to_string(s.bytes) + "-" + std::to_string(s.format);
    stream.insert(stream.begin(), s.format);
    write("lc3", name, stream);
    pairs.insert(pairs.begin(), s.format | 0x40);
    write("lc3", name + "-stereo", pairs);
    if (s.rate != 16000) continue;
    stream[0] = s.format == 0 ? 4 : 5;
    write("stream", "lc3-" + name, stream);
  }
}

#else

void lc3() {}

#endif

void aac() {
  // Silent blocks: one for one channel, one for two channels. Each gets an ADTS header for 16 kHz.
  const Bytes blocks[] = {{0x00, 0xc8, 0x00, 0x80, 0x23, 0x80},
                          {0x21, 0x00, 0x49, 0x90, 0x02, 0x19, 0x00, 0x23, 0x80}};
  for (unsigned channels = 1; channels <= 2; ++channels) {
    const Bytes& block = blocks[channels - 1];
    const auto length = static_cast<unsigned>(block.size() + 7);
    Bytes frame = {0xff,
                   0xf1,
                   0x60,
                   static_cast<std::uint8_t>(channels << 6),
                   static_cast<std::uint8_t>(length >> 3),
                   static_cast<std::uint8_t>((length & 7) << 5 | 0x1f),
                   0xfc};
    frame.insert(frame.end(), block.begin(), block.end());
    Bytes stream;
    for (int p = 0; p < 8; ++p) append(stream, frame, p == 5 ? 8 : 0);
    write("aac", "silence-" + std::to_string(channels), stream);
    stream.insert(stream.begin(), 3);
    write("stream", "aac-silence-" + std::to_string(channels), stream);
  }
}

void pcm() {
  const std::vector<std::int16_t> samples = sound(16000, 1, 1600);
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(samples.data());
  for (std::uint8_t format = 0; format < 4; ++format) {
    Bytes stream = {format};
    std::size_t at = 0;
    for (const std::size_t length : {320, 1, 3, 641, 0, 2}) {
      append(stream, Bytes(bytes + at, bytes + at + length), length == 3 ? 2 : length == 641 ? 1 : 0);
      at += length;
    }
    write("pcm", "pieces-" + std::to_string(format), stream);
    write("stream", "pcm-" + std::to_string(format), stream);
    Bytes queued = {format, format};
    queued.insert(queued.end(), stream.begin() + 1, stream.end());
    write("frame-queue", "pieces-" + std::to_string(format), queued);
    Bytes resampler = {format, 0x39, 0x30};
    resampler.insert(resampler.end(), stream.begin() + 1, stream.end());
    write("resampler", "pieces-" + std::to_string(format), resampler);
  }
  // Commands that open streams and push audio from the start of the input. Then they process, flush and close
  // the streams.
  Bytes core;
  for (std::uint8_t stream = 1; stream < 8; ++stream) {
    const auto head = static_cast<std::uint8_t>(stream << 4);
    const auto command = [&](unsigned wanted) {
      for (unsigned byte = head; byte < head + 16u; ++byte) {
        if (byte % 7 == wanted) return static_cast<std::uint8_t>(byte);
      }
      return head;
    };
    for (const unsigned byte :
         {unsigned{command(0)}, unsigned{stream}, unsigned{command(2)}, 0u, 0u, 0xffu, 0x0fu, 0u, 20u,
          unsigned{command(4)} | 8u, 10u, unsigned{command(5)}, unsigned{command(6)}}) {
      core.push_back(static_cast<std::uint8_t>(byte));
    }
  }
  core.insert(core.end(), bytes, bytes + 1200);
  write("core", "life", core);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: fuzz-seeds DIRECTORY\n");
    return 2;
  }
  root = arguments[1];
  opus();
  lc3();
  aac();
  pcm();
  return 0;
}
