import type { Codec, StreamFormat } from '../../wire/index.js';
import { lc3Rates } from '../interface/index.js';
import { packetSamples } from '../ogg/index.js';
import {
  adtsFrames,
  constantBytes,
  entropyOf,
  longestHeader,
  looksLikeFloats,
  mostCommon,
  nearlyAll,
  predictability,
  readSamples,
} from './forms/index.js';
import type { Pace } from './pace.js';
import type { Trial, TrialDecoder } from './trial.js';

/** Format for a trial decoding as Opus. It does not depend on the declared format. */
export const opusFormat: StreamFormat = { codec: 'opus', sampleRate: 16_000, channels: 1 };
/** Maximum number of frames in a trial decoding. */
const mostTried = 100;
/** Minimum number of frames for a verdict. */
export const fewestFrames = 30;
/** Duration in ms of the Opus packets in the trial decoding for one header length. */
const triedTime = 2000;
/**
 * Minimum share of frames that must decode to prove a format. Other bytes may also decode as Opus or LC3, but rarely so
 * many in a row.
 */
const decodesAll = 0.98;
/** Minimum entropy of coded audio, in bits per byte. */
const codedEntropy = 7;
/** Maximum prediction gain in dB when coded bytes are read as samples. */
const codedGain = 2;
/** Minimum and maximum length in bytes of an LC3 frame. */
const lc3Bytes = { fewest: 20, most: 400 } as const;
/** Two formats count as equally likely if their shares of speech differ by less than this value. */
const speechMargin = 0.2;
/** Minimum share of speech that proves a format, if header bytes could imitate this format. */
const someSpeech = 0.25;
/** Minimum number of LC3 frames that prove the format even without speech. */
const manyFrames = 60;
/**
 * Number of frames in a quick first check. If the assumed format is wrong, it almost never happens that all of them
 * decode.
 */
const firstLook = 16;
/** Maximum number of LC3 frames in a message. */
export const mostCuts = 10;
/** Maximum relative difference between the duration of a packet and the time between two packets. */
const intervalTolerance = 0.15;

/** A coded format that was found: nearly all frames decode in it. */
export interface CodedForm {
  readonly codec: Codec;
  /** Rate in Hz. Set only for LC3. */
  readonly sampleRate?: number;
  /** Number of bytes before each frame; 0 if there are none. */
  readonly header: number;
  /** Number of frames in each message; absent if each message has one frame. */
  readonly cuts?: number;
  readonly speech: number;
}

/** Input of the search for a coded format. Its frames look like coded audio. */
export interface CodedSearch {
  readonly frames: readonly Uint8Array[];
  readonly format: StreamFormat;
  readonly pace: Pace | null;
  readonly trial: Pick<TrialDecoder, 'run'>;
}

/** Returns the frames for a trial: the last frames, because a stream may begin with silence. */
export const triedFrames = (frames: readonly Uint8Array[]): readonly Uint8Array[] =>
  frames.length <= mostTried ? frames : frames.slice(-mostTried);

/** Returns the share of frames in a trial that could be decoded. */
export const decodedShare = ({ decoded, invalid }: Pick<Trial, 'decoded' | 'invalid'>): number =>
  decoded + invalid === 0 ? 0 : decoded / (decoded + invalid);

/** Removes the first `bytes` bytes of each frame. Omits frames that are too short. */
export const withoutHead = (frames: readonly Uint8Array[], bytes: number): readonly Uint8Array[] =>
  frames.filter(({ length }) => length > bytes + 2).map((frame) => frame.subarray(bytes));

/**
 * Checks whether the bytes of frames look coded: nearly eight bits of entropy per byte, and not predictable as samples
 * are. Skips the first two bytes, which describe the packet.
 */
export const looksCoded = (frames: readonly Uint8Array[]): boolean => {
  const bytes = Buffer.concat(frames.map((frame) => frame.subarray(2)));
  // The low bytes of floating-point samples are random, too, and LC3 would decode them.
  if (entropyOf(bytes) < codedEntropy || looksLikeFloats(Buffer.concat(frames))) return false;
  return [0, 1].every((from) => {
    const parts = frames
      .filter(({ length }) => length > from + 4)
      .map((frame) => readSamples(frame.subarray(from), 's16le'));
    return predictability(parts) < codedGain;
  });
};

const samplesPerMs = 48;

/**
 * The duration of a stream's packets. An encoder never changes the duration. So differing durations indicate that the
 * bytes are not Opus packets.
 */
export interface PacketForm {
  /** The most frequent duration of packets in ms; 0 if most are invalid. */
  readonly duration: number;
  /** Share of packets with that duration. */
  readonly share: number;
}

export const packetForm = (packets: readonly Uint8Array[]): PacketForm => {
  const { value, share } = mostCommon(packets.map((packet) => packetSamples(packet, 48_000)));
  return { duration: (Number.isNaN(value) ? 0 : value) / samplesPerMs, share };
};

/** Opus behind a header. `fits`: the duration of a packet equals the time between two packets. */
type OpusForm = CodedForm & { readonly fits: boolean };

const opusForm = async (search: CodedSearch, header: number): Promise<OpusForm | null> => {
  const packets = withoutHead(triedFrames(search.frames), header);
  if (packets.length < fewestFrames) return null;
  const { duration, share } = packetForm(packets);
  if (duration === 0 || share < nearlyAll) return null;
  const enough = packets.slice(-Math.max(fewestFrames, Math.ceil(triedTime / duration)));
  const tried = await search.trial.run(opusFormat, enough);
  if (tried === null || decodedShare(tried) < decodesAll) return null;
  const interval = search.pace?.interval ?? 0;
  // The second byte of Opus packets varies. If it is constant, it may belong to a header.
  const sure = header === 0 && constantBytes(packets) < 2;
  if (!sure && tried.speech < someSpeech) return null;
  const fits = interval > 0 && Math.abs(Math.log(duration / interval)) <= intervalTolerance;
  return { codec: 'opus', header, speech: tried.speech, fits };
};

/**
 * Finds Opus behind a header of fixed length. Constant header bytes can also look like the first byte of a packet, so
 * several header lengths may fit. Prefers a length whose packets fit the pace, then packets with speech, then the
 * longest header.
 */
export const opusBehindHeader = async (
  search: CodedSearch,
  from = 0,
  to = longestHeader,
): Promise<CodedForm | null> => {
  let best: OpusForm | null = null;
  for (let header = from; header <= to; header++) {
    const form = await opusForm(search, header);
    if (form !== null && (best === null || isLikelier(form, best))) best = form;
  }
  return best;
};

/** Returns whether `form` is likelier than `shorter`, which has a shorter header. */
const isLikelier = (form: OpusForm, shorter: OpusForm): boolean =>
  form.fits === shorter.fits ? form.speech >= shorter.speech - speechMargin : form.fits;

/** A layout of LC3 frames in messages. */
export interface Lc3Layout {
  readonly sampleRate: number;
  readonly channels?: 1 | 2;
  /** Number of bytes before the frames. */
  readonly header?: number;
  /** Number of frames in a message. */
  readonly cuts?: number;
}

/** Tests whether messages are LC3 frames in one layout. Returns null if they are not. */
export const lc3Form = async (search: CodedSearch, layout: Lc3Layout): Promise<CodedForm | null> => {
  const { sampleRate, channels = search.format.channels, header = 0, cuts = 1 } = layout;
  const messages = withoutHead(triedFrames(search.frames), header);
  if (messages.length * cuts < fewestFrames) return null;
  const { value: length, share } = mostCommon(messages.map((message) => message.length));
  const size = length / cuts;
  const each = size / channels;
  if (share < nearlyAll || !Number.isInteger(each)) return null;
  if (each < lc3Bytes.fewest || each > lc3Bytes.most) return null;
  const frames = messages.flatMap((message) =>
    Array.from({ length: cuts }, (_, index) => message.subarray(index * size, (index + 1) * size)),
  );
  const format: StreamFormat = { codec: 'lc3', sampleRate, channels };
  const look = await search.trial.run(format, frames.slice(0, firstLook));
  if (look === null || look.invalid > 1) return null;
  const tried = await search.trial.run(format, triedFrames(frames));
  if (tried === null || decodedShare(tried) < decodesAll) return null;
  if (frames.length < manyFrames && tried.speech < someSpeech) return null;
  return { codec: 'lc3', sampleRate, header, cuts, speech: tried.speech };
};

/** Returns the possible rates of LC3. The declared rate, `own`, comes first. */
const ratesFrom = (own: number): number[] =>
  [...lc3Rates].sort((a, b) => Number(b === own) - Number(a === own));

/**
 * Finds LC3 with any rate and layout. Of the layouts that decode, returns the layout with most speech. If several have
 * equal speech, returns the one nearest to the declaration.
 */
export const lc3OfAnyRate = async (search: CodedSearch): Promise<CodedForm | null> => {
  let best: CodedForm | null = null;
  const { channels } = search.format;
  const look = async (layout: Omit<Lc3Layout, 'sampleRate'>): Promise<void> => {
    for (const sampleRate of ratesFrom(search.format.sampleRate)) {
      const form = await lc3Form(search, { sampleRate, ...layout });
      if (form !== null && (best === null || form.speech > best.speech + speechMargin)) best = form;
    }
  };
  await look({ channels });
  if (best === null && channels === 2) await look({ channels: 1 });
  for (let cuts = 2; best === null && cuts <= mostCuts; cuts++) await look({ channels: 1, cuts });
  for (let header = 1; best === null && header <= longestHeader; header++)
    await look({ channels: 1, header });
  return best;
};

/**
 * Finds ADTS frames.
 * @returns the offset of the first frame in each message, and the number of frames in a message; null without ADTS
 *   frames.
 */
export const adtsForm = (
  frames: readonly Uint8Array[],
): { readonly header: number; readonly framesInMessage: number } | null => {
  if (frames.length < fewestFrames / 3) return null;
  for (let header = 0; header <= longestHeader; header++) {
    const { value, share } = mostCommon(frames.map((frame) => adtsFrames(frame, header)));
    const some = frames.filter((frame) => adtsFrames(frame, header) > 0).length;
    if (some < nearlyAll * frames.length) continue;
    return { header, framesInMessage: value === 1 && share < nearlyAll ? 2 : value };
  }
  return null;
};
