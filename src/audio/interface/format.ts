import { CochleaError } from '../../errors/index.js';
import { type Codec, codecs, type StreamFormat } from '../../wire/index.js';
import { lc3Rates, opusRates, pcmRates } from './core.js';

/** Codecs that both cores decode. */
export const baseCodecs: readonly Codec[] = ['pcm8', 'pcm16', 'opus', 'opus_fs320'];

/** Range of rates in Hz that an AAC stream may declare. The frames themselves contain the real rate. */
const aacRates = { minimum: 7350, maximum: 96_000 } as const;

/**
 * Checks the format of a stream.
 * @param available codecs that this core decodes.
 * @param remedies for each codec that only another build or installation of the core decodes: what the operator can do.
 * @throws CochleaError codec_unknown, codec_unavailable, sample_rate_unsupported or channels_unsupported.
 */
export function checkFormat(
  format: StreamFormat,
  available: readonly Codec[],
  remedies: Partial<Record<Codec, string>> = {},
): void {
  const { codec, sampleRate, channels } = format;
  if (!codecs.includes(codec)) throw new CochleaError('codec_unknown', { codec, known: codecs.join(', ') });
  if (!available.includes(codec)) {
    const remedy = remedies[codec] ?? 'The native core decodes it: build it with "npm run build:native".';
    throw new CochleaError('codec_unavailable', {
      codec,
      how: `Send one of ${available.join(', ')}. ${remedy}`,
    });
  }
  const rates = ratesOf(codec);
  const fits =
    'minimum' in rates
      ? Number.isInteger(sampleRate) && sampleRate >= rates.minimum && sampleRate <= rates.maximum
      : rates.includes(sampleRate);
  if (!fits) {
    const list = 'minimum' in rates ? `${rates.minimum}..${rates.maximum}` : rates.join(', ');
    throw new CochleaError('sample_rate_unsupported', { codec, rates: list, rate: sampleRate });
  }
  if (channels !== 1 && channels !== 2)
    throw new CochleaError('channels_unsupported', { channels: String(channels) });
}

const ratesOf = (
  codec: Codec,
): readonly number[] | { readonly minimum: number; readonly maximum: number } => {
  switch (codec) {
    case 'pcm8':
    case 'pcm16':
      return pcmRates;
    case 'aac':
      return aacRates;
    case 'lc3':
    case 'lc3_fs1030':
      return lc3Rates;
    default:
      return opusRates;
  }
};
