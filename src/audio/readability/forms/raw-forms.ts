import { parityDifference } from './byte-statistics.js';
import { type HeadMarks, isMarked, longestHeader } from './frame-heads.js';
import { predictability } from './predictability.js';
import {
  floatShare,
  formBytes,
  looksLikeLaw,
  plausibleFloats,
  readSamples,
  type SampleForm,
} from './sample-forms.js';

/** Maximum number of bytes of a stream's sample that are read. */
const mostBytes = 65_536;
/**
 * Bounds for the difference between bytes at even and at odd offsets. One-byte samples lie below `oneByteDifference`,
 * two-byte samples above `twoByteDifference`.
 */
const oneByteDifference = 0.15;
const twoByteDifference = 0.25;
/**
 * Maximum prediction gain in dB of the low halves of 32-bit samples, which are nearly noise. If both halves are audio,
 * the samples are two channels of 16 bits.
 */
const lowBitsGain = 4;
/**
 * From this prediction gain in dB on, plausible floating-point numbers are proven to be samples. They are preferred
 * even to a format with a higher gain. That format may only fit because the low bytes of some floating-point samples
 * are 0.
 */
const floatGain = 4.5;
/** A header is proven if the jump between two messages is this many times smaller when the header is removed. */
const jumpFactor = 4;
/** Factor that replaces `jumpFactor` if the header has a counter. */
const counterJump = 1.5;

/** Sample formats of PCM streams. */
export type PcmForm = 'u8' | 's16le';

/**
 * A format of raw samples. `header`: number of bytes before the samples of each message. `gain`: prediction gain in dB.
 */
export interface RawForm {
  readonly form: SampleForm;
  readonly header: number;
  readonly gain: number;
}

/** Joins messages of raw samples, up to `mostBytes`. */
export const rawBytes = (frames: readonly Uint8Array[]): Uint8Array =>
  Buffer.concat(frames).subarray(0, mostBytes);

const gainOf = (bytes: Uint8Array, form: SampleForm): number => predictability([readSamples(bytes, form)]);

/** Returns every `step`-th sample, starting at `from`. */
const everyNth = (samples: Float32Array, from: number, step: number): Float32Array =>
  Float32Array.from(
    { length: Math.floor((samples.length - from) / step) },
    (_, index) => samples[from + index * step]!,
  );

/**
 * Returns the prediction gain of a stream's samples in its declared format. For stereo this is the highest of three
 * gains: of the left channel, of the right channel, and of both channels interleaved.
 * @param anyStart whether the first byte may be the second byte of a sample.
 */
export const declaredGain = (
  bytes: Uint8Array,
  form: PcmForm,
  { channels, anyStart }: { readonly channels: number; readonly anyStart: boolean },
): number => {
  const starts = form === 's16le' && anyStart ? [bytes, bytes.subarray(1)] : [bytes];
  const gains = starts.flatMap((start) => {
    const samples = readSamples(start, form);
    const sides = channels === 2 ? [0, 1].map((side) => predictability([everyNth(samples, side, 2)])) : [];
    return [predictability([samples]), ...sides];
  });
  return Math.max(...gains);
};

/** Number of bytes in a block. It is a multiple of every sample's length. */
const blockBytes = 3072;
const fewestBlockSamples = 768;
/** Minimum share of blocks in which a format must have the higher prediction gain. */
const mostBlocks = 0.7;
/** Minimum difference in dB between the prediction gains of two formats in a block. */
const blockMargin = 1;

/**
 * Returns whether a format has a higher prediction gain than the declared format in nearly all blocks, not only in a
 * few loud ones.
 */
export const isBetterThroughout = (bytes: Uint8Array, form: SampleForm, declared: PcmForm): boolean => {
  let blocks = 0;
  let better = 0;
  // Longer samples need longer blocks to give the same number of samples.
  const step = Math.max(blockBytes, fewestBlockSamples * formBytes[form]);
  for (let from = 0; from + step <= bytes.length; from += step) {
    const block = bytes.subarray(from, from + step);
    const gain = gainOf(block, form);
    const own = gainOf(block, declared);
    // Silence in a block proves nothing.
    if (gain === 0 && own === 0) continue;
    blocks++;
    if (gain >= own + blockMargin) better++;
  }
  return blocks > 0 && better >= mostBlocks * blocks;
};

/**
 * Returns whether the bytes at even and at odd offsets have similar distributions. In two-byte samples the
 * distributions differ.
 */
export const hasEvenBytes = (bytes: Uint8Array): boolean => parityDifference(bytes) < oneByteDifference;

/** Returns whether bytes may have a format at all. Does not consider the prediction gain. */
const possible = (bytes: Uint8Array, form: SampleForm): boolean => {
  switch (form) {
    case 'mulaw':
    case 'alaw':
      return hasEvenBytes(bytes) && looksLikeLaw(bytes, form);
    case 'u8':
    case 's8':
      return hasEvenBytes(bytes);
    case 's16le':
    case 's16be':
    case 'u16le':
      return parityDifference(bytes) > twoByteDifference;
    case 'f32le':
    case 'f32be':
    case 'f64le':
    case 'f64be':
      return plausibleFloats(bytes, form) >= floatShare;
    case 's32le':
      return predictability([everyNth(readSamples(bytes, 's16le'), 0, 2)]) < lowBitsGain;
    case 's32be':
      return predictability([everyNth(readSamples(bytes, 's16be'), 1, 2)]) < lowBitsGain;
    default:
      return true;
  }
};

/**
 * Returns the format with the highest prediction gain, except the declared format; null if no other format is possible.
 */
export const otherForm = (bytes: Uint8Array, declared: SampleForm | null): RawForm | null => {
  const forms = (Object.keys(formBytes) as SampleForm[]).filter(
    (form) => form !== declared && possible(bytes, form),
  );
  const floats = bestForm(
    bytes,
    forms.filter((form) => form.startsWith('f')),
  );
  return floats !== null && floats.gain >= floatGain ? floats : bestForm(bytes, forms);
};

const bestForm = (bytes: Uint8Array, forms: readonly SampleForm[]): RawForm | null => {
  let best: RawForm | null = null;
  for (const form of forms) {
    const gain = gainOf(bytes, form);
    if (best === null || gain > best.gain) best = { form, header: 0, gain };
  }
  return best;
};

/** Returns the samples of each message behind its header. */
const messagesOf = (frames: readonly Uint8Array[], form: PcmForm, header: number): Float32Array[] =>
  frames
    .filter(({ length }) => length > header + 2 * formBytes[form])
    .map((frame) => readSamples(frame.subarray(header), form));

const bounded = (frames: readonly Uint8Array[]): readonly Uint8Array[] => {
  let bytes = 0;
  return frames.filter((frame) => {
    bytes += frame.length;
    return bytes <= mostBytes;
  });
};

const meanJump = (messages: readonly Float32Array[]): number => {
  let sum = 0;
  for (let index = 1; index < messages.length; index++)
    sum += Math.abs(messages[index]![0]! - messages[index - 1]!.at(-1)!);
  return sum / Math.max(1, messages.length - 1);
};

const meanStep = (messages: readonly Float32Array[]): number => {
  let sum = 0;
  let count = 0;
  for (const message of messages) {
    for (let index = 1; index < message.length; index++)
      sum += Math.abs(message[index]! - message[index - 1]!);
    count += message.length - 1;
  }
  return sum / Math.max(1, count);
};

/**
 * Finds the length of a header in messages of raw samples. When the header is removed, the audio of each message
 * continues smoothly in the next.
 * @param marks of the frames. With a counter, `counterJump` replaces `jumpFactor`.
 * @returns null if there is no header, or if audio does not continue smoothly behind any header length.
 */
const headerOf = (
  frames: readonly Uint8Array[],
  form: PcmForm,
  { counter, constant }: HeadMarks,
): number | null => {
  const jumps = Array.from({ length: longestHeader + 1 }, (_, header) =>
    meanJump(messagesOf(frames, form, header)),
  );
  const from = Math.max(1, counter === null ? 0 : counter + 1, Math.min(constant, longestHeader));
  const least = Math.min(...jumps.slice(from));
  const header = jumps.findIndex((jump, place) => place >= from && jump <= least * 1.1);
  if (least > jumpFactor * meanStep(messagesOf(frames, form, header))) return null;
  return jumps[0]! >= (counter === null ? jumpFactor : counterJump) * least ? header : null;
};

/**
 * Searches for a header in front of raw samples. Returns the format with the highest prediction gain behind the header;
 * null if no header is found.
 */
export const behindHeader = (all: readonly Uint8Array[], marks: HeadMarks): RawForm | null => {
  const frames = bounded(all);
  let best: RawForm | null = null;
  for (const form of ['s16le', 'u8'] as const) {
    const header = headerOf(frames, form, marks);
    if (header === null) continue;
    const gain = predictability(messagesOf(frames, form, header));
    if (best === null || gain > best.gain) best = { form, header, gain };
  }
  return best;
};

/**
 * Minimum increase of prediction gain in dB that proves a header, if the header has neither a counter nor constant
 * bytes.
 */
const headerMargin = 3;

/** Returns the likelier of two formats: `without` a header, or behind a header. */
export const likelierForm = (
  frames: readonly Uint8Array[],
  marks: HeadMarks,
  without: RawForm | null,
): RawForm | null => {
  const behind = behindHeader(frames, marks);
  if (behind === null || without === null) return behind ?? without;
  const margin = isMarked(marks) ? 0 : headerMargin;
  return behind.gain >= without.gain + margin ? behind : without;
};
