import type { StreamFormat } from '../../wire/index.js';
import { channelsOf } from './channel-layout.js';
import { otherRate, type Verdict } from './finding.js';
import { rawBytes, readSamples, sampleBytesOf } from './forms/index.js';
import { type FrameSample, framesOf } from './frame-sample.js';
import { type Pace, paceRatio, usualRate } from './pace.js';
import type { TrialDecoder } from './trial.js';

/** Bounds in seconds of audio per second within which a stream arrives in real time. */
const inTime = { slowest: 0.8, fastest: 1.25 } as const;
/** Ratios beyond which samples may have another rate than declared. */
const otherwise = { slower: 0.72, faster: 1.4 } as const;
/** Share of speech that proves the right rate, and the largest share at a wrong one. */
const speaks = 0.5;
const silent = 0.25;
const speechMargin = 0.35;
const lowestRate = 8000;

/** Whether a stream arrives so slowly or fast that its rate may be another. @param ratio seconds of audio per second. */
export const isOffPace = (ratio: number): boolean => ratio <= otherwise.slower || ratio >= otherwise.faster;

/** Whether a PCM stream of the declared form arrives in real time. */
export const comesInTime = (pace: Pace, format: StreamFormat): boolean => {
  const ratio = paceRatio(pace, format);
  return ratio >= inTime.slowest && ratio <= inTime.fastest;
};

/**
 * Finds PCM of another rate, or another number of channels, than declared. Three signs must agree. Messages arrive at a
 * steady pace that fits another usual rate. The detector finds speech at that rate. A cross-check contradicts the
 * declared form. The detector recognises speech at twice its speed, but not at half of it.
 */
export const judgeRate = async (
  sample: FrameSample,
  pace: Pace | null,
  trial: Pick<TrialDecoder, 'run'>,
): Promise<Verdict> => {
  const { format } = sample;
  if (pace === null) return 'undecided';
  if (comesInTime(pace, format)) return 'right';
  const ratio = paceRatio(pace, format);
  if (!isOffPace(ratio)) return 'undecided';
  const frames = framesOf(sample);
  const channels = channelsOf(rawBytes(frames), sampleBytesOf(format) === 2 ? 's16le' : 'u8');
  const rate = usualRate(pace.bytesPerSecond / sampleBytesOf(format) / (channels ?? format.channels));
  if (rate === null || rate < lowestRate || (channels === null && format.channels === 2)) return 'undecided';
  const speech = async (form: Partial<StreamFormat>, sent: readonly Uint8Array[] = frames): Promise<number> =>
    (await trial.run({ ...format, ...form }, sent))?.speech ?? 0;
  const found = { sampleRate: rate, channels: channels ?? format.channels } as const;
  const right = await speech(found);
  if (right < speaks) return 'undecided';
  const wrong =
    ratio > 1 ? await isTooSlow(speech, right) : await isTooFast(speech, { frames, format, found });
  return wrong ? otherRate(found, format) : 'undecided';
};

/** Share of speech in frames of a form other than the declared one. */
type SpeechIn = (form: Partial<StreamFormat>, frames?: readonly Uint8Array[]) => Promise<number>;

/** Samples with too low a declared rate play slowly, so the detector finds no speech. @param right share of speech at the right rate. */
const isTooSlow = async (speech: SpeechIn, right: number): Promise<boolean> => {
  const declared = await speech({});
  return declared <= silent && right >= declared + speechMargin;
};

/**
 * Samples with too high a declared rate are still speech at half of it, where correct ones would not be. Played still
 * faster they stop being speech, where correct ones would not.
 */
const isTooFast = async (
  speech: SpeechIn,
  {
    frames,
    format,
    found,
  }: { frames: readonly Uint8Array[]; format: StreamFormat; found: Pick<StreamFormat, 'channels'> },
): Promise<boolean> => {
  // One channel declared as two needs no further proof.
  if (found.channels !== format.channels) return true;
  if (format.sampleRate < 2 * lowestRate) return false;
  if ((await speech({ sampleRate: format.sampleRate / 2 })) < speaks) return false;
  const { bytes, sampleRate } = faster(frames, format);
  return (await speech({ codec: 'pcm16', channels: 1, sampleRate }, [bytes])) <= silent;
};

/** Speed factor at which correctly declared speech is still recognised, but speech that already plays at twice its speed is not. */
const muchFaster = 2.75;
const highestRate = 48_000;
/** Seconds of audio to play. */
const playedTime = 2;

/** Samples played faster: mono of 16 bits. */
const faster = (
  frames: readonly Uint8Array[],
  format: StreamFormat,
): { readonly bytes: Uint8Array; readonly sampleRate: number } => {
  const rate = format.sampleRate * muchFaster;
  const joined = Math.ceil(rate / highestRate);
  const samples = readSamples(Buffer.concat(frames), sampleBytesOf(format) === 2 ? 's16le' : 'u8');
  const step = joined * format.channels;
  const most = Math.floor((playedTime * rate) / joined);
  const played = new Int16Array(Math.min(most, Math.floor(samples.length / step)));
  for (let index = 0; index < played.length; index++) {
    let sum = 0;
    for (let at = index * step; at < (index + 1) * step; at++) sum += samples[at]!;
    played[index] = sum / step;
  }
  return { bytes: new Uint8Array(played.buffer), sampleRate: Math.floor(rate / joined) };
};
