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

/** Bytes of a sample that are looked at. */
const mostBytes = 65_536;
/** How differently bytes at even and odd places are distributed: less in samples of one byte, more in those of two. */
const oneByteDifference = 0.15;
const twoByteDifference = 0.25;
/** dB by which the low halves of samples of 32 bits are predicted at most. Those of two channels of 16 bits are both audio. */
const lowBitsGain = 4;
/** dB of prediction from which on plausible numbers are floating point, whatever other form is predicted, too: of some the low bytes are 0. */
const floatGain = 4.5;
/** By how much more a sample must jump where a message begins than behind a header, for that to be one. */
const jumpFactor = 4;
/** The same where a counter shows the header. */
const counterJump = 1.5;

/** Forms that streams of PCM have. */
export type PcmForm = 'u8' | 's16le';

/** A form of raw samples, bytes before those of each message, and how well they are predicted in it, in dB. */
export interface RawForm {
  readonly form: SampleForm;
  readonly header: number;
  readonly gain: number;
}

/** Messages of raw samples, one behind the other. */
export const rawBytes = (frames: readonly Uint8Array[]): Uint8Array =>
  Buffer.concat(frames).subarray(0, mostBytes);

const gainOf = (bytes: Uint8Array, form: SampleForm): number => predictability([readSamples(bytes, form)]);

/** Every so many samples, from a place on. */
const everyNth = (samples: Float32Array, from: number, step: number): Float32Array =>
  Float32Array.from(
    { length: Math.floor((samples.length - from) / step) },
    (_, index) => samples[from + index * step]!,
  );

/**
 * How well the samples of a stream are predicted in its declared form: of stereo the side that is predicted better, or both in turn.
 * @param anyStart whether its first byte may be the second of a sample.
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

/** Bytes of a block: whole samples of every form. */
const blockBytes = 3072;
const fewestBlockSamples = 768;
/** Share of the blocks in which a form must be predicted better, and by how many dB. */
const mostBlocks = 0.7;
const blockMargin = 1;

/** Whether a form is predicted better than the declared one nearly everywhere, and not only in a few loud moments. */
export const isBetterThroughout = (bytes: Uint8Array, form: SampleForm, declared: PcmForm): boolean => {
  let blocks = 0;
  let better = 0;
  // The longest samples need more bytes to be as many.
  const step = Math.max(blockBytes, fewestBlockSamples * formBytes[form]);
  for (let from = 0; from + step <= bytes.length; from += step) {
    const block = bytes.subarray(from, from + step);
    const gain = gainOf(block, form);
    const own = gainOf(block, declared);
    // Silence says nothing.
    if (gain === 0 && own === 0) continue;
    blocks++;
    if (gain >= own + blockMargin) better++;
  }
  return blocks > 0 && better >= mostBlocks * blocks;
};

/** Whether bytes at even and odd places are distributed alike, as those of samples of two bytes are not. */
export const hasEvenBytes = (bytes: Uint8Array): boolean => parityDifference(bytes) < oneByteDifference;

/** Whether a form may be that of the bytes at all, whatever samples it gives. */
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

/** The form other than the declared one in which bytes are predicted best; null where none may be theirs. */
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

/** Samples of each message, from behind a header. */
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
 * Finds the header of messages of raw samples: the bytes without which the audio of one message goes on smoothly in the next.
 * @param marks of the frames. Where there is a counter the audio may jump less without it.
 * @returns null where there is none, or audio does not go on smoothly behind any.
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

/** Samples behind a header, in the form in which they are predicted best; null where no header is found. */
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

/** dB by which samples behind a header must be predicted better than without one, where nothing else shows a header. */
const headerMargin = 3;

/** The likelier of a form without a header and one behind a header. */
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
