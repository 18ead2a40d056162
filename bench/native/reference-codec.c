/*
 * Decodes packets with the codec libraries, called from plain C, and prints the CPU time.
 *
 *   reference-codec version          one line for each library
 *   reference-codec decode opus|lc3 RATE CHANNELS STREAMS PHASE PACKETS
 *   reference-codec encode lc3 RATE BYTES < PCM > PACKETS
 *
 * PACKETS is a file of packets, in which each packet follows its length (32 bit, little-endian). `decode`
 * makes STREAMS decoders. Stream s begins s * PHASE packets into the file and repeats it. For each line
 * "FIRST COUNT" on stdin, every decoder in turn decodes its packets FIRST to FIRST + COUNT - 1. Then one line
 * is printed: CPU time in ns, and a sum over the samples. `encode` takes 16-bit mono samples and writes
 * packets of 10 ms.
 */
#include <inttypes.h>
#include <opus.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef HAVE_LC3
#include <lc3.h>
#endif

enum { kMaxSamples = 5760 * 2, kFrameUs = 10000 };

static int64_t cpuNow(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int fail(const char *why) {
  fprintf(stderr, "reference-codec: %s\n", why);
  return 1;
}

static uint8_t *readAll(FILE *file, size_t *length) {
  size_t capacity = 1 << 20;
  uint8_t *bytes = malloc(capacity);
  *length = 0;
  while (bytes) {
    const size_t got = fread(bytes + *length, 1, capacity - *length, file);
    *length += got;
    if (got == 0) break;
    if (*length == capacity) {
      capacity *= 2;
      uint8_t *larger = realloc(bytes, capacity);
      if (!larger) free(bytes);
      bytes = larger;
    }
  }
  return bytes;
}

struct Packets {
  uint8_t *bytes;
  size_t count;
  const uint8_t **starts;
  uint32_t *lengths;
};

/* Packets of a file; `starts` point into `bytes`. Ends the program if the file is malformed. */
static struct Packets readPackets(const char *path) {
  struct Packets packets = {0};
  FILE *file = fopen(path, "rb");
  size_t size = 0;
  if (file) packets.bytes = readAll(file, &size);
  if (!packets.bytes) exit(fail("the packets cannot be read"));
  fclose(file);
  packets.starts = malloc((size / 4 + 1) * sizeof *packets.starts);
  packets.lengths = malloc((size / 4 + 1) * sizeof *packets.lengths);
  if (!packets.starts || !packets.lengths) exit(fail("no memory"));
  for (size_t at = 0; at + 4 <= size;) {
    const uint8_t *head = packets.bytes + at;
    const uint32_t length = head[0] | head[1] << 8 | head[2] << 16 | (uint32_t)head[3] << 24;
    at += 4;
    if (length > size - at) exit(fail("the file ends inside a packet"));
    packets.starts[packets.count] = packets.bytes + at;
    packets.lengths[packets.count++] = length;
    at += length;
  }
  if (packets.count == 0) exit(fail("no packets"));
  return packets;
}

/* A decoder of one of the libraries. */
struct Decoder {
  OpusDecoder *opus;
#ifdef HAVE_LC3
  lc3_decoder_t lc3;
#endif
  int samples;
};

static int openDecoder(struct Decoder *decoder, const char *codec, int rate, int channels) {
  memset(decoder, 0, sizeof *decoder);
  if (strcmp(codec, "opus") == 0) {
    int error;
    decoder->opus = opus_decoder_create(rate, channels, &error);
    decoder->samples = 5760 / (48000 / rate);
    return decoder->opus != NULL;
  }
#ifdef HAVE_LC3
  if (strcmp(codec, "lc3") == 0 && channels == 1) {
    decoder->lc3 = lc3_setup_decoder(kFrameUs, rate, 0, malloc(lc3_decoder_size(kFrameUs, rate)));
    decoder->samples = lc3_frame_samples(kFrameUs, rate);
    return decoder->lc3 != NULL;
  }
#endif
  return 0;
}

/* Decodes one packet. Returns the number of samples written to `pcm`; negative on error. */
static int decode(struct Decoder *decoder, const uint8_t *packet, uint32_t length, int16_t *pcm) {
  if (decoder->opus) return opus_decode(decoder->opus, packet, (opus_int32)length, pcm, decoder->samples, 0);
#ifdef HAVE_LC3
  return lc3_decode(decoder->lc3, packet, (int)length, LC3_PCM_FORMAT_S16, pcm, 1) == 0 ? decoder->samples : -1;
#else
  return -1;
#endif
}

static int decodeRounds(char **words) {
  const int rate = atoi(words[1]);
  const int channels = atoi(words[2]);
  const size_t streams = (size_t)atoi(words[3]);
  const size_t phase = (size_t)atoi(words[4]);
  const struct Packets packets = readPackets(words[5]);
  struct Decoder *decoders = calloc(streams, sizeof *decoders);
  if (!decoders) return fail("no memory");
  for (size_t s = 0; s < streams; ++s) {
    if (!openDecoder(&decoders[s], words[0], rate, channels)) return fail("no such decoder");
  }
  static int16_t pcm[kMaxSamples];
  size_t first, count;
  while (scanf("%zu %zu", &first, &count) == 2) {
    int64_t sum = 0;
    const int64_t began = cpuNow();
    for (size_t p = first; p < first + count; ++p) {
      for (size_t s = 0; s < streams; ++s) {
        const size_t at = (p + s * phase) % packets.count;
        const int samples = decode(&decoders[s], packets.starts[at], packets.lengths[at], pcm);
        if (samples <= 0) return fail("a packet does not decode");
        sum += pcm[samples - 1];
      }
    }
    printf("%" PRId64 " %" PRId64 "\n", cpuNow() - began, sum);
    fflush(stdout);
  }
  return 0;
}

static int encodeLc3(int rate, int bytes) {
#ifdef HAVE_LC3
  size_t size;
  const int16_t *pcm = (const int16_t *)readAll(stdin, &size);
  const int samples = lc3_frame_samples(kFrameUs, rate);
  if (!pcm || samples <= 0 || bytes < 20 || bytes > 400) return fail("no such encoder");
  lc3_encoder_t encoder = lc3_setup_encoder(kFrameUs, rate, 0, malloc(lc3_encoder_size(kFrameUs, rate)));
  if (!encoder) return fail("no such encoder");
  uint8_t packet[404] = {(uint8_t)bytes, (uint8_t)(bytes >> 8)};
  for (size_t at = 0; at + samples <= size / 2; at += samples) {
    if (lc3_encode(encoder, LC3_PCM_FORMAT_S16, pcm + at, 1, bytes, packet + 4) != 0) return fail("a frame does not encode");
    fwrite(packet, 1, 4 + bytes, stdout);
  }
  return 0;
#else
  (void)rate;
  (void)bytes;
  return fail("built without liblc3");
#endif
}

int main(int count, char **words) {
  if (count == 2 && strcmp(words[1], "version") == 0) {
    printf("%s\n", opus_get_version_string());
#ifdef HAVE_LC3
    printf("liblc3 %s\n", HAVE_LC3);
#endif
    return 0;
  }
  if (count == 8 && strcmp(words[1], "decode") == 0) return decodeRounds(words + 2);
  if (count == 5 && strcmp(words[1], "encode") == 0 && strcmp(words[2], "lc3") == 0) {
    return encodeLc3(atoi(words[3]), atoi(words[4]));
  }
  return fail("usage: version | decode CODEC RATE CHANNELS STREAMS PHASE PACKETS | encode lc3 RATE BYTES");
}
