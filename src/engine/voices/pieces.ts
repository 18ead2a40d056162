import type { Utterance } from '../../audio/interface/index.js';
import type { Stretch } from './fine-gate.js';

/** Audio whose voices are to be told apart: an utterance, or what is new of one that goes on. */
export interface VoicePiece {
  /** Mono 16 kHz, a copy that belongs to the piece. */
  readonly pcm: Int16Array;
  /** Wall clock (ms) of its first sample. */
  readonly from: number;
  /** What has not been looked at, in samples of `pcm`; the rest only tells the detector what lies around it. */
  readonly fresh: Stretch;
}

const samplesPerMs = 16;
/** Samples before what is new, from which the detector gets used to the stream. */
const context = 500 * samplesPerMs;
/**
 * Samples at the end of an utterance that goes on, which are left to its next piece: speech that has only just begun would be taken for too
 * short to be speech.
 */
const held = 200 * samplesPerMs;
/** Samples of two pieces at most that are looked at as one. */
const longest = 15_000 * samplesPerMs;

/** Cuts the utterances of one stream into pieces, none of its samples into two. On the shard's thread only. */
export class VoicePieces {
  /** Sample of the stream up to which pieces were taken. */
  #taken = 0;

  /**
   * What is new of an utterance; undefined where nothing is.
   * @param from wall clock (ms) of its first sample.
   * @param ended whether nothing follows.
   * @returns a copy.
   */
  take(
    { pcm, start }: Pick<Utterance, 'pcm' | 'start'>,
    from: number,
    ended: boolean,
  ): VoicePiece | undefined {
    const end = start + pcm.length - (ended ? 0 : held);
    // A cut may lie before what was taken: then the next utterance begins there.
    const begin = Math.max(start, this.#taken);
    if (end <= begin) return undefined;
    this.#taken = end;
    const first = Math.max(start, begin - context);
    return {
      pcm: pcm.slice(first - start),
      from: from + (first - start) / samplesPerMs,
      fresh: { from: begin - first, to: end - first },
    };
  }
}

/** Two pieces as one, where the second begins at the end of the first and both are not too long; else undefined. */
export const joinPieces = (one: VoicePiece, other: VoicePiece): VoicePiece | undefined => {
  const ends = one.from + one.fresh.to / samplesPerMs;
  const begins = other.from + other.fresh.from / samplesPerMs;
  const rest = other.pcm.subarray(other.fresh.from);
  if (Math.abs(ends - begins) > 1 || one.fresh.to + rest.length > longest) return undefined;
  const pcm = new Int16Array(one.fresh.to + rest.length);
  pcm.set(one.pcm.subarray(0, one.fresh.to));
  pcm.set(rest, one.fresh.to);
  const fresh = { from: one.fresh.from, to: one.fresh.to + other.fresh.to - other.fresh.from };
  return { pcm, from: one.from, fresh };
};

/** The wall clock (ms) up to which a piece says whose voice it is. */
export const endOf = ({ from, fresh }: VoicePiece): number => from + fresh.to / samplesPerMs;
