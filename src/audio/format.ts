import { CochleaError } from '../errors/index.js';
import { type Codec, codecs, opusRates, pcmRates, type StreamFormat } from './core.js';

/** Codecs every core decodes. */
export const baseCodecs: readonly Codec[] = ['pcm8', 'pcm16', 'opus', 'opus_fs320'];

/**
 * Refuses a format no stream can be opened with.
 * @throws CochleaError codec_unknown, codec_unavailable, sample_rate_unsupported or channels_unsupported.
 */
export function checkFormat(format: StreamFormat, available: readonly Codec[]): void {
  const { codec, sampleRate, channels } = format;
  if (!codecs.includes(codec)) throw new CochleaError('codec_unknown', { codec, known: codecs.join(', ') });
  if (!available.includes(codec)) {
    const how = `Send one of ${available.join(', ')}; this engine was built without ${codec}.`;
    throw new CochleaError('codec_unavailable', { codec, how });
  }
  const pcm = codec === 'pcm8' || codec === 'pcm16';
  const fits = pcm
    ? Number.isInteger(sampleRate) && sampleRate >= pcmRates.minimum && sampleRate <= pcmRates.maximum
    : opusRates.includes(sampleRate);
  if (!fits) {
    const rates = pcm ? `${pcmRates.minimum}..${pcmRates.maximum}` : opusRates.join(', ');
    throw new CochleaError('sample_rate_unsupported', { codec, rates, rate: sampleRate });
  }
  if (channels !== 1 && channels !== 2)
    throw new CochleaError('channels_unsupported', { channels: String(channels) });
}
