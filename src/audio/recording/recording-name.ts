import { CochleaError } from '../../errors/index.js';
import type { Codec, StreamFormat } from '../../wire/index.js';
import type { RecordingClock } from '../../wire/records/index.js';
import { opusRates } from '../interface/index.js';

/** The data in a recording's file name. */
export interface RecordingName {
  /** Time of the first sample by the clock of the device, in ms since the epoch. */
  readonly startedAt: number;
  /** `upload` if the device has no clock. `startedAt` then only gives the order of the device's recordings. */
  readonly clock: RecordingClock;
  readonly format: StreamFormat;
  /** Name of the source that the recording's conversation gets. */
  readonly source: string;
}

/**
 * Earliest plausible start, in ms since the epoch. Before that, no wearable stored recordings. A clock that was never
 * set counts from its zero (1970, 1980, 2000) or from a date in its firmware.
 */
const earliest = Date.UTC(2024, 0, 1);
/** Maximum ms by which the clock of a wearable may be ahead of this machine's clock. */
const aheadOfUs = 300_000;
/** Maximum number of characters in a name. */
const longestName = 200;

/** Codec names that wearables use in file names. */
const codecNames = ['pcm8', 'pcm16', 'opus', 'aac', 'lc3'] as const;
const usualRate: Readonly<Record<(typeof codecNames)[number], number>> = {
  pcm8: 8000,
  pcm16: 16_000,
  opus: 16_000,
  aac: 16_000,
  lc3: 16_000,
};

const refuse = (why: string): never => {
  throw new CochleaError('recording_name_invalid', { why });
};

/** Returns the codec that a name states. If two codecs have the same name, the frame length distinguishes them. */
const codecOf = (name: (typeof codecNames)[number], frame: string | undefined): Codec => {
  if (name === 'opus' && frame === 'fs320') return 'opus_fs320';
  if (name === 'lc3' && frame === 'fs1030') return 'lc3_fs1030';
  return name;
};

const sourceOf = (name: string): string => {
  if (/limitless/i.test(name)) return 'limitless';
  return /batchphone|phonemic/i.test(name) ? 'phone' : 'sdcard';
};

/**
 * Parses the name of a recording: `audio_DEVICE_CODEC_RATE_CHANNELS[_fsNNN]_SECONDS.bin`. DEVICE may contain
 * underscores. Only SECONDS, the start time, is required. The default codec is Opus.
 * @param now wall clock, ms.
 * @throws CochleaError recording_name_invalid
 */
export const parseRecordingName = (name: string, now: number): RecordingName => {
  if (name.length > longestName || /[/\\\p{Cc}]/u.test(name)) refuse('it is not a plain file name');
  if (!name.endsWith('.bin')) refuse('it does not end with .bin');
  const parts = name.slice(0, -'.bin'.length).split('_');
  const time = parts.length > 1 ? parts.at(-1)! : refuse('it has no underscore before the time');
  if (!/^\d{1,11}(\.\d{1,9})?$/.test(time)) refuse('its last part is not a time in seconds');
  const startedAt = Math.round(Number(time) * 1000);
  if (startedAt > now + aheadOfUs) refuse('its time is in the future');
  const isCodec = (part: string): boolean => codecNames.some((codec) => codec === part);
  const at = parts.findLastIndex(isCodec);
  const codecName = at < 0 ? 'opus' : (parts[at] as (typeof codecNames)[number]);
  const settings = at < 0 ? [] : parts.slice(at + 1, -1);
  const rate = Number(settings[0]?.match(/^\d{4,6}$/)?.[0] ?? usualRate[codecName]);
  const frame = parts.slice(Math.max(0, at)).find((part) => /^fs\d+$/.test(part));
  return {
    startedAt,
    clock: startedAt < earliest ? 'upload' : 'device',
    format: {
      codec: codecOf(codecName, frame),
      // Opus packets can be decoded at any Opus rate, so an unsupported rate is replaced by the usual one.
      sampleRate: codecName === 'opus' && !opusRates.includes(rate) ? usualRate.opus : rate,
      channels: settings[1] === '2' ? 2 : 1,
    },
    source: sourceOf(name),
  };
};
