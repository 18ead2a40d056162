import type { Utterance } from '../../audio/interface/index.js';
import { joinSamples } from '../../common/index.js';
import type { Stretch } from './fine-gate.js';

/** A piece of audio to diarize: a whole utterance, or the new audio of an open utterance. */
export interface VoicePiece {
  /** Mono samples at 16 kHz, a copy that the piece owns. */
  readonly pcm: Int16Array;
  /** Wall clock (ms) of its first sample. */
  readonly from: number;
  /** The new part, as sample indexes into `pcm`. The other samples only give the detector context. */
  readonly fresh: Stretch;
}

const samplesPerMs = 16;
/** Samples before the new part, with which the detector adapts to the stream. */
const context = 500 * samplesPerMs;
/**
 * Samples at the end of an open utterance that are left to its next piece. Speech that has only just begun would otherwise be
 * dropped as too short.
 */
const held = 200 * samplesPerMs;
/** Most samples of two pieces that are joined into one. */
const longest = 15_000 * samplesPerMs;

/** Cuts the utterances of one stream into pieces. Each sample is new in one piece only. Use it on the shard's thread only. */
export class VoicePieces {
  /** Sample of the stream up to which pieces were taken. */
  #taken = 0;

  /**
   * Takes the new audio of an utterance.
   * @param from wall clock (ms) of the utterance's first sample.
   * @param ended whether the utterance has ended.
   * @returns a copy; undefined if the utterance has no new audio.
   */
  take(
    { pcm, start }: Pick<Utterance, 'pcm' | 'start'>,
    from: number,
    ended: boolean,
  ): VoicePiece | undefined {
    const end = start + pcm.length - (ended ? 0 : held);
    // The next utterance may begin before the end of the last piece, because the gate may cut there.
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

/** Joins two pieces if the second begins at the end of the first and the result is not too long; else returns undefined. */
export const joinPieces = (one: VoicePiece, other: VoicePiece): VoicePiece | undefined => {
  const ends = one.from + one.fresh.to / samplesPerMs;
  const begins = other.from + other.fresh.from / samplesPerMs;
  const rest = other.pcm.subarray(other.fresh.from);
  if (Math.abs(ends - begins) > 1 || one.fresh.to + rest.length > longest) return undefined;
  const pcm = joinSamples([one.pcm.subarray(0, one.fresh.to), rest]);
  const fresh = { from: one.fresh.from, to: one.fresh.to + other.fresh.to - other.fresh.from };
  return { pcm, from: one.from, fresh };
};

/** Wall-clock time (ms) at which the new part of a piece ends. */
export const endOf = ({ from, fresh }: VoicePiece): number => from + fresh.to / samplesPerMs;
