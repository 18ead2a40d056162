import type { StreamFormat } from '../../wire/index.js';
import { channelsOf } from './channel-layout.js';
import { otherRate, type Verdict } from './finding.js';
import { rawBytes, readSamples, sampleBytesOf } from './forms/index.js';
import { type FrameSample, framesOf } from './frame-sample.js';
import { type Pace, paceRatio, usualRate } from './pace.js';
import type { TrialDecoder } from './trial.js';

/** Seconds of audio a second between which a stream comes as fast as it was recorded. */
const inTime = { slowest: 0.8, fastest: 1.25 } as const;
/** Ratios from which on samples may have another rate than was declared. */
const otherwise = { slower: 0.72, faster: 1.4 } as const;
/** Share of speech that shows the right rate, and how much a wrong one may have. */
const speaks = 0.5;
const silent = 0.25;
const speechMargin = 0.35;
const lowestRate = 8000;

/** Whether a stream comes so slowly or fast that its rate may be another. @param ratio seconds of audio a second. */
export const isOffPace = (ratio: number): boolean => ratio <= otherwise.slower || ratio >= otherwise.faster;

/** Whether a stream of PCM comes as fast as audio of its declared form. */
export const comesInTime = (pace: Pace, format: StreamFormat): boolean => {
  const ratio = paceRatio(pace, format);
  return ratio >= inTime.slowest && ratio <= inTime.fastest;
};

/**
 * Tells PCM of another rate, or another number of channels, than was declared. Three things have to agree: messages come at a steady pace
 * that fits another usual rate; the detector finds speech at that rate; and it finds none where it would find none if the declared form were
 * the right one. The detector takes speech at twice its speed for speech, but none at half of it.
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

/** Samples of a rate that is declared too low are slow, so that the detector finds no speech. @param right share of it at the right rate. */
const isTooSlow = async (speech: SpeechIn, right: number): Promise<boolean> => {
  const declared = await speech({});
  return declared <= silent && right >= declared + speechMargin;
};

/**
 * Samples of a rate that is declared too high are speech at half the declared rate, too, where right ones would be none; and they are none when
 * they are played still faster, where right ones would be.
 */
const isTooFast = async (
  speech: SpeechIn,
  {
    frames,
    format,
    found,
  }: { frames: readonly Uint8Array[]; format: StreamFormat; found: Pick<StreamFormat, 'channels'> },
): Promise<boolean> => {
  // One channel that is declared as two is its own proof.
  if (found.channels !== format.channels) return true;
  if (format.sampleRate < 2 * lowestRate) return false;
  if ((await speech({ sampleRate: format.sampleRate / 2 })) < speaks) return false;
  const { bytes, sampleRate } = faster(frames, format);
  return (await speech({ codec: 'pcm16', channels: 1, sampleRate }, [bytes])) <= silent;
};

/** How many times faster than declared speech is still found, and no longer where it comes twice as fast already. */
const muchFaster = 2.75;
const highestRate = 48_000;
/** Seconds that are played. */
const playedTime = 2;

/** Samples as they sound when they are played faster: mono of 16 bits. */
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
