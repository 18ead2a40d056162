import type { StreamFormat } from '../../wire/index.js';
import { channelsOf } from './channel-layout.js';
import { otherRate, type Verdict } from './finding.js';
import { rawBytes, readSamples, sampleBytesOf } from './forms/index.js';
import { type FrameSample, framesOf } from './frame-sample.js';
import { type Pace, paceRatio, usualRate } from './pace.js';
import type { TrialDecoder } from './trial.js';

/** Bounds for the seconds of audio that arrive per second. Within them a stream counts as real time. */
const inTime = { slowest: 0.8, fastest: 1.25 } as const;
/** Bounds for the seconds of audio that arrive per second. Beyond them the rate may differ from the declared rate. */
const otherwise = { slower: 0.72, faster: 1.4 } as const;
/** Minimum share of speech at the right rate. */
const speaks = 0.5;
/** Maximum share of speech at a wrong rate. */
const silent = 0.25;
/** Minimum difference between the shares of speech at the right rate and at a wrong rate. */
const speechMargin = 0.35;
const lowestRate = 8000;

/**
 * Returns whether a stream arrives so slowly or fast that its rate may differ from the declared one.
 * @param ratio seconds of audio per second.
 */
export const isOffPace = (ratio: number): boolean => ratio <= otherwise.slower || ratio >= otherwise.faster;

/** Returns whether a PCM stream of the declared format arrives in real time. */
export const comesInTime = (pace: Pace, format: StreamFormat): boolean => {
  const ratio = paceRatio(pace, format);
  return ratio >= inTime.slowest && ratio <= inTime.fastest;
};

/**
 * Finds PCM whose rate or number of channels differs from the declaration. Three signs must agree. Messages arrive at a
 * steady pace that fits another usual rate. The detector finds speech at that rate. A cross-check contradicts the
 * declared format.
 *
 * The cross-check relies on a property of the detector: it recognises speech at twice its speed, but not at half its
 * speed.
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

/** Returns the share of speech in frames, decoded in the declared format with the changes of `form`. */
type SpeechIn = (form: Partial<StreamFormat>, frames?: readonly Uint8Array[]) => Promise<number>;

/**
 * Tests whether the declared rate is too low. If it is, the samples play too slowly at the declared rate, so the
 * detector finds no speech.
 * @param right share of speech at the right rate.
 */
const isTooSlow = async (speech: SpeechIn, right: number): Promise<boolean> => {
  const declared = await speech({});
  return declared <= silent && right >= declared + speechMargin;
};

/**
 * Tests whether the declared rate is too high. If it is, the samples play too fast. Two tests must agree. When played
 * at half of the declared rate, such samples are still speech, but correctly declared samples are not. When played at a
 * much higher rate, such samples are no longer speech, but correctly declared samples are.
 */
const isTooFast = async (
  speech: SpeechIn,
  {
    frames,
    format,
    found,
  }: { frames: readonly Uint8Array[]; format: StreamFormat; found: Pick<StreamFormat, 'channels'> },
): Promise<boolean> => {
  // If one channel was declared as two, no further proof is needed.
  if (found.channels !== format.channels) return true;
  if (format.sampleRate < 2 * lowestRate) return false;
  if ((await speech({ sampleRate: format.sampleRate / 2 })) < speaks) return false;
  const { bytes, sampleRate } = faster(frames, format);
  return (await speech({ codec: 'pcm16', channels: 1, sampleRate }, [bytes])) <= silent;
};

/**
 * Speed factor at which correctly declared speech is still recognised. Speech that already plays at twice its speed is
 * no longer recognised at this factor.
 */
const muchFaster = 2.75;
const highestRate = 48_000;
/** Seconds of audio that the test plays. */
const playedTime = 2;

/** Returns samples that play faster by `muchFaster`, as mono of 16 bits. */
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
