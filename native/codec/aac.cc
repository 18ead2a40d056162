#include "codec/aac.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace cochlea {
namespace {

constexpr std::array<std::uint32_t, 13> kRates = {96000, 88200, 64000, 48000, 44100, 32000, 24000,
                                                  22050, 16000, 12000, 11025, 8000,  7350};
constexpr std::size_t kMaxPlanes = 8;
/// AV_SAMPLE_FMT_FLTP, the sample format of libavcodec's AAC decoder.
constexpr int kPlanarFloat = 8;
/// AV_LOG_QUIET disables the log of the library, because the core counts invalid frames itself.
constexpr int kQuiet = -8;
/// Measured size of a decoder of libavcodec 59. Nearly all of this memory is for band replication, even if
/// the stream does not use it.
constexpr std::size_t kDecoderBytes = 653 * 1024;

/// First fields of libavcodec's AVPacket. They are the same in every version that `Library` opens.
struct Packet {
  void* buffer;
  std::int64_t presented;
  std::int64_t decoded;
  const std::uint8_t* data;
  int size;
};

/// First fields of libavutil's AVFrame. They are the same in every version that `Library` opens.
struct Frame {
  std::uint8_t* data[kMaxPlanes];
  int lineSize[kMaxPlanes];
  std::uint8_t** extended;
  int width;
  int height;
  int samples;
  int format;
};

struct Library {
  unsigned (*version)();
  const char* (*name)();
  void (*setLogLevel)(int);
  const void* (*findDecoder)(const char*);
  void* (*makeContext)(const void*);
  int (*open)(void*, const void*, void**);
  void (*freeContext)(void**);
  Packet* (*makePacket)();
  void (*freePacket)(void**);
  Frame* (*makeFrame)();
  void (*freeFrame)(void**);
  int (*send)(void*, const Packet*);
  int (*receive)(void*, Frame*);
  int (*option)(void*, const char*, int, std::int64_t*);

  /// Opens the library once. Returns nullptr if it is not installed.
  static const Library* get();

 private:
  bool load(void* handle);
};

template <typename Function>
bool find(void* handle, const char* name, Function* function) {
  // Finds symbols of libavutil, too: libavcodec depends on libavutil, and dlsym also searches the libraries
  // on which a library depends.
  *function = reinterpret_cast<Function>(dlsym(handle, name));
  return *function != nullptr;
}

bool Library::load(void* handle) {
  const bool complete =
      find(handle, "avcodec_version", &version) && find(handle, "av_version_info", &name) &&
      find(handle, "av_log_set_level", &setLogLevel) &&
      find(handle, "avcodec_find_decoder_by_name", &findDecoder) &&
      find(handle, "avcodec_alloc_context3", &makeContext) && find(handle, "avcodec_open2", &open) &&
      find(handle, "avcodec_free_context", &freeContext) && find(handle, "av_packet_alloc", &makePacket) &&
      find(handle, "av_packet_free", &freePacket) && find(handle, "av_frame_alloc", &makeFrame) &&
      find(handle, "av_frame_free", &freeFrame) && find(handle, "avcodec_send_packet", &send) &&
      find(handle, "avcodec_receive_frame", &receive) && find(handle, "av_opt_get_int", &option);
  if (!complete || findDecoder("aac") == nullptr) return false;
  setLogLevel(kQuiet);
  return true;
}

const Library* Library::get() {
  static const Library* const opened = []() -> const Library* {
    // Names of those versions of the library whose structures begin with the fields of `Packet` and `Frame`.
    // The name without a version is not tried, because it could belong to any version.
    constexpr const char* kNames[] = {
#ifdef __APPLE__
        "libavcodec.62.dylib", "libavcodec.61.dylib", "libavcodec.60.dylib",
        "libavcodec.59.dylib", "libavcodec.58.dylib",
#else
        "libavcodec.so.62", "libavcodec.so.61", "libavcodec.so.60", "libavcodec.so.59", "libavcodec.so.58",
#endif
    };
    static Library library;
    for (const char* name : kNames) {
      void* handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
      if (handle == nullptr) continue;
      if (library.load(handle)) return &library;
      dlclose(handle);
    }
    return nullptr;
  }();
  return opened;
}

}  // namespace

bool AdtsHeader::parse(const std::uint8_t* frame, std::size_t length, AdtsHeader* header) {
  if (length < 7 || frame[0] != 0xff || (frame[1] & 0xf6) != 0xf0) return false;
  const std::size_t rate = unsigned{frame[2]} >> 2 & 0xf;
  const std::size_t whole = (frame[3] & 3u) << 11 | unsigned{frame[4]} << 3 | unsigned{frame[5]} >> 5;
  const bool checksum = (frame[1] & 1) == 0;
  // ADTS frames with several blocks are refused. They are legal, but no encoder makes such frames, and
  // libavcodec does not decode them.
  if (rate >= kRates.size() || whole != length || (frame[6] & 3) != 0 || length <= (checksum ? 9u : 7u)) {
    return false;
  }
  *header = {kRates[rate], (frame[2] & 1u) << 2 | unsigned{frame[3]} >> 6};
  return true;
}

const char* AacStream::version() {
  const Library* library = Library::get();
  return library == nullptr ? nullptr : library->name();
}

std::unique_ptr<AacStream> AacStream::make() {
  const Library* library = Library::get();
  if (library == nullptr) return nullptr;
  const void* codec = library->findDecoder("aac");
  std::unique_ptr<AacStream> stream(new AacStream);
  stream->context_ = library->makeContext(codec);
  stream->packet_ = library->makePacket();
  stream->frame_ = library->makeFrame();
  if (!stream->context_ || !stream->packet_ || !stream->frame_) return nullptr;
  return library->open(stream->context_, codec, nullptr) == 0 ? std::move(stream) : nullptr;
}

AacStream::~AacStream() {
  // `get` returns the open library, because a stream can only be created when the library is open. Each of
  // the three functions accepts a null pointer.
  const Library* library = Library::get();
  library->freeFrame(&frame_);
  library->freePacket(&packet_);
  library->freeContext(&context_);
}

std::size_t AacStream::duration(const std::uint8_t* frame, std::size_t length) const {
  AdtsHeader header;
  return AdtsHeader::parse(frame, length, &header) ? kFrameSamples * (kUnitRate / header.rate) : 0;
}

FrameDecoder::Result AacStream::decode(const std::uint8_t* bytes, std::size_t length, std::int16_t* out) {
  AdtsHeader header;
  if (!AdtsHeader::parse(bytes, length, &header)) return {0, false};
  const Library& library = *Library::get();
  auto* packet = static_cast<Packet*>(packet_);
  // The packet has no buffer, so the library copies its bytes and adds padding. It keeps no pointer to
  // `bytes`.
  packet->data = bytes;
  packet->size = static_cast<int>(length);
  const int sent = library.send(context_, packet);
  packet->data = nullptr;
  packet->size = 0;
  if (sent != 0) return {0, false};

  auto* frame = static_cast<Frame*>(frame_);
  std::size_t written = 0;
  bool valid = true;
  // All frames are fetched, because the library accepts no further packet while it has a frame.
  while (library.receive(context_, frame) == 0) {
    std::size_t planes = 0;
    while (planes < kMaxPlanes && frame->data[planes] != nullptr) ++planes;
    const auto count = static_cast<std::size_t>(std::max(frame->samples, 0));
    // The rate of the samples is read from the decoder. Band replication doubles the rate, so the rate in the
    // header can be half of the true rate.
    std::int64_t rate = 0;
    library.option(context_, "ar", 0, &rate);
    const bool known = std::find(kRates.begin(), kRates.end(), rate) != kRates.end();
    const std::size_t all = written + count;
    const bool fits =
        all <= kMaxSamples && known && all * 16000 <= kMaxAt16k * static_cast<std::uint64_t>(rate);
    if (frame->format != kPlanarFloat || planes == 0 || !fits) {
      valid = false;
      continue;
    }
    rate_ = static_cast<std::uint32_t>(rate);
    for (std::size_t i = 0; i < count; ++i) {
      float sum = 0;
      for (std::size_t p = 0; p < planes; ++p) {
        float sample;
        std::memcpy(&sample, frame->data[p] + i * sizeof sample, sizeof sample);
        sum += sample;
      }
      const float scaled = sum / static_cast<float>(planes) * 32768.0f;
      out[written + i] =
          static_cast<std::int16_t>(std::lrint(std::min(32767.0f, std::max(-32768.0f, scaled))));
    }
    written = all;
  }
  return {written, valid};
}

std::size_t AacStream::bytes() const { return sizeof *this + kDecoderBytes; }

}  // namespace cochlea
