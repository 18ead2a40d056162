import { startWithin } from '../../common/index.js';
import type { Settings } from '../../config/index.js';
import { CochleaError } from '../../errors/index.js';
import { type Codec, codecs, type StreamFormat } from '../../wire/index.js';
import type { ListenQuery } from './query.js';

const pcmSampleBytes: Partial<Record<Codec, number>> = { pcm8: 1, pcm16: 2 };
/** Maximum number of bytes of an unknown codec's name that an error message quotes. */
const longestName = 48;
const lowestRate = 8000;
const highestRate = 48_000;

const isCodec = (name: string): name is Codec => (codecs as readonly string[]).includes(name);

/**
 * Returns the audio format that a client requests. The audio core later checks the sample rate.
 * @throws CochleaError codec_unknown or channels_unsupported (each closes the stream with 1003).
 */
export const formatOf = (query: ListenQuery): StreamFormat => {
  const { codec, sampleRate, channels } = query;
  if (!isCodec(codec)) {
    throw new CochleaError('codec_unknown', {
      codec: startWithin(codec, longestName),
      known: codecs.join(', '),
    });
  }
  if (channels !== 1 && channels !== 2) throw new CochleaError('channels_unsupported', { channels });
  return { codec, sampleRate, channels };
};

/**
 * Returns the maximum length of a stream's binary message, in bytes.
 * @param largestRecord maximum payload of a ring record. The result never exceeds it.
 */
export const frameLimitOf = (format: StreamFormat, settings: Settings, largestRecord: number): number => {
  const sampleBytes = pcmSampleBytes[format.codec];
  // A call with two sides sends two mono streams on one socket. Each frame then has a tag of one byte at its start.
  const tag = format.channels === 2 ? 1 : 0;
  if (sampleBytes === undefined) return Math.min(settings.maxCodedFrame + tag, largestRecord);
  // The core later refuses rates outside these bounds. Until then the bounds limit the length of a message.
  const rate = Math.max(lowestRate, Math.min(highestRate, format.sampleRate));
  const bytes = Math.floor((rate * format.channels * sampleBytes * settings.maxPcmFrame) / 1000);
  return Math.min(bytes + tag, largestRecord);
};
