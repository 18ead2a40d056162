import type { Utterance } from '../../audio/interface/index.js';
import { joinSamples } from '../../common/index.js';
import type { Stretch } from './fine-gate.js';

/** A piece of audio to diarize: a complete utterance, or the new audio of an open utterance. */
export interface VoicePiece {
  /** Mono samples at 16 kHz. The piece owns them. */
  readonly pcm: Int16Array;
  /** Wall clock (ms) of the first sample of the piece. */
  readonly from: number;
  /** Range of the new part, as indexes into `pcm`. The samples outside it only give the detector context. */
  readonly fresh: Stretch;
}

const samplesPerMs = 16;
/** Number of samples before the new part. The detector needs them to adapt to the stream. */
const context = 500 * samplesPerMs;
/**
 * Number of samples at the end of an open utterance that are left for its next piece. Otherwise speech that has
 * just begun would be dropped as too short.
 */
const held = 200 * samplesPerMs;
/** Maximum number of samples of a piece that is joined from two. */
const longest = 15_000 * samplesPerMs;

/**
 * Cuts the utterances of one stream into pieces. A sample is in the new part of only one piece. Use it on the shard's
 * thread only.
 */
export class VoicePieces {
  /** Position on the stream's clock, in samples, up to which pieces were taken. */
  #taken = 0;

  /**
   * Returns the new audio of an utterance as a piece.
   * @param from wall clock (ms) of the utterance's first sample.
   * @param ended whether the utterance has ended.
   * @returns a copy, or undefined if the utterance has no new audio.
   */
  take(
    { pcm, start }: Pick<Utterance, 'pcm' | 'start'>,
    from: number,
    ended: boolean,
  ): VoicePiece | undefined {
    const end = start + pcm.length - (ended ? 0 : held);
    // The gate may cut long speech at an earlier sample than the end of the last piece. The next utterance then begins
    // before that end.
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

/** Joins two adjacent pieces. @returns undefined if they are not adjacent or the result would be too long. */
export const joinPieces = (one: VoicePiece, other: VoicePiece): VoicePiece | undefined => {
  const ends = one.from + one.fresh.to / samplesPerMs;
  const begins = other.from + other.fresh.from / samplesPerMs;
  const rest = other.pcm.subarray(other.fresh.from);
  if (Math.abs(ends - begins) > 1 || one.fresh.to + rest.length > longest) return undefined;
  const pcm = joinSamples([one.pcm.subarray(0, one.fresh.to), rest]);
  const fresh = { from: one.fresh.from, to: one.fresh.to + other.fresh.to - other.fresh.from };
  return { pcm, from: one.from, fresh };
};

/** Returns the wall-clock time (ms) at which the new part of a piece ends. */
export const endOf = ({ from, fresh }: VoicePiece): number => from + fresh.to / samplesPerMs;
